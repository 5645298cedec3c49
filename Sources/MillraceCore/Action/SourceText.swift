// SPDX-License-Identifier: Apache-2.0

/// What a source keeps on the heap when 32 bytes are not enough: texts made at run time, an info, or what is too large.
@usableFromInline
final class SourceText: Sendable {
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
