// SPDX-License-Identifier: Apache-2.0

/// A call of the system that failed.
public struct FileError: Error, Hashable, Sendable {
    /// What the error means to a journal.
    public enum Meaning: Hashable, Sendable {
        /// The disk is full, or the user may not use more of it. The same call may succeed later.
        case full
        /// There is no such file.
        case missing
        /// A file has the name already.
        case exists
        /// Anything else.
        case other
    }

    /// What was asked of the system.
    public var call: String
    /// The file or the folder.
    public var path: String
    /// The system's own words.
    public var reason: String
    /// What it means.
    public var meaning: Meaning

    package init(call: String, path: String, reason: String, meaning: Meaning) {
        self.call = call
        self.path = path
        self.reason = reason
        self.meaning = meaning
    }
}
