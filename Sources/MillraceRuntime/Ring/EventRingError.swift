// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Why an ``EventRing`` could not be created, or why the file of a ring could not be read.
public enum EventRingError: Error, Hashable {
    /// The requested sizes are impossible; the text says which size, and what is possible.
    case sizes(String)
    /// The system had no memory.
    case outOfMemory(bytes: Int)
    /// The file could not be created; the reason is the system's text.
    case cannotCreate(path: String, reason: String)
    /// The writer of the ring at `PATH`, or at `PATH.previous`, is alive, in this process or another one.
    case inUse(path: String)
    /// The file at `PATH`, or at `PATH.previous`, is not an event ring, so it was not replaced.
    case notReplaced(path: String)
    /// The file could not be opened or read; the reason is the system's text.
    case cannotRead(path: String, reason: String)
    /// The file does not begin as the file of a ring does.
    case notARing(path: String)
    /// The file is shorter than the header of a ring.
    case tooShort(path: String, bytes: UInt64, needed: UInt64)
    /// The file was written on a machine with the other byte order.
    case foreignByteOrder(path: String)
    /// The file has another version of the format.
    case otherVersion(path: String, found: UInt64, supported: UInt64)
    /// The header is incomplete or inconsistent, so that nothing in the file can be trusted.
    case damagedHeader(path: String, reason: String)
    /// The header is valid, but the rest is cut off or damaged; `partial` holds what could be read.
    case damaged(path: String, reason: String, partial: EventRingSnapshot)
}

extension EventRingError: CustomStringConvertible {
    /// A text that says what happened, and how to mend it.
    public var description: String {
        switch self {
        case .sizes(let problem): "An event ring cannot be created with \(problem)"
        case .outOfMemory(let bytes):
            "There is no memory for an event ring of \(bytes) bytes. Ask for fewer entries."
        case .cannotCreate(let path, let reason):
            if reason == systemErrorText(EISDIR) {
                """
                The event ring '\(path)' cannot be created: \(reason). Give the path of a file in this folder, such as \
                '\(path)\(path.hasSuffix("/") ? "" : "/")flight.ring'.
                """
            } else {
                """
                The event ring '\(path)' cannot be created: \(reason). Choose a folder that exists, is writable and \
                has free space.
                """
            }
        case .inUse(let path):
            """
            The event ring '\(path)', or '\(path).previous', is being written by this process or another one. Give each \
            writer a path of its own, or wait until that writer has ended.
            """
        case .notReplaced(let path):
            """
            The event ring cannot be created: a file at '\(path)' or '\(path).previous' is not an event ring, so it was \
            not replaced. Choose another path, or move that file away.
            """
        case .cannotRead(let path, let reason):
            "The event ring '\(path)' cannot be read: \(reason). Check the path and its permissions."
        case .notARing(let path):
            "'\(path)' is not the file of an event ring. Give the path that was given to EventRing(path:…)."
        case .tooShort(let path, let bytes, let needed):
            """
            '\(path)' has \(bytes) bytes, the header of an event ring has \(needed): the file was cut off. Copy it \
            again from where it was written.
            """
        case .foreignByteOrder(let path):
            "'\(path)' was written on a machine with the other order of bytes. Read it on a machine of that kind."
        case .otherVersion(let path, let found, let supported):
            """
            '\(path)' has version \(found) of the format, this program reads version \(supported). Read it with the \
            version of Millrace that wrote it.
            """
        case .damagedHeader(let path, let reason):
            "The header of '\(path)' is damaged: \(reason). Nothing can be read; use another copy if there is one."
        case .damaged(let path, let reason, let partial):
            """
            '\(path)' is damaged: \(reason). \(partial.entries.count) entries and \(partial.texts.count) texts could \
            be read; use another copy if there is one.
            """
        }
    }
}
