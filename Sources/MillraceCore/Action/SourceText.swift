// SPDX-License-Identifier: Apache-2.0

/// The heap storage of a source that does not fit in 32 bytes: texts made at run time, an info, or too large values.
@usableFromInline
package final class SourceText: Sendable {
    let file: String
    let function: String
    let line: UInt
    let info: String?

    @usableFromInline
    init(file: String, function: String, line: UInt, info: String?) {
        self.file = file
        self.function = function
        self.line = line
        self.info = info
    }
}
