// SPDX-License-Identifier: Apache-2.0

/// A call of the system that failed.
package struct FileError: Error, Hashable, Sendable {
    /// What the error means to a journal.
    package enum Meaning: Hashable, Sendable {
        /// There is no room on the disk, or no more is allowed. The same call may succeed later.
        case full
        /// There is no such file.
        case missing
        /// A file has the name already.
        case exists
        /// Anything else.
        case other
    }

    /// What was asked of the system.
    package var call: String
    /// The file or the folder.
    package var path: String
    /// The system's own words.
    package var reason: String
    /// What it means.
    package var meaning: Meaning

    package init(call: String, path: String, reason: String, meaning: Meaning) {
        self.call = call
        self.path = path
        self.reason = reason
        self.meaning = meaning
    }
}
