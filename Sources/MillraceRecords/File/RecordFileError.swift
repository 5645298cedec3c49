// SPDX-License-Identifier: Apache-2.0

/// Why a file of records cannot be written or read. Offsets are bytes from the start of the file.
public enum RecordFileError: Error, Hashable, Sendable {
    /// The system refused to open, write, sync or rename the file.
    case system(call: String, path: String, reason: String)
    /// A file with this path exists already.
    case exists(path: String)
    /// The header does not fit the format: it has too many types or kinds, or too long texts.
    case headerTooLarge(path: String)
    /// The file does not begin as a file of records does.
    case notARecordFile(path: String)
    /// The file ends within its header.
    case cutHeader(path: String, bytes: Int, needed: Int)
    /// The file has another version of the format.
    case otherVersion(path: String, found: UInt32, supported: UInt32)
    /// The checksum of the file's header is wrong, or the header contradicts itself.
    case damagedHeader(path: String, reason: String)
    /// A frame has changed or is missing, although a later frame says that it was on the disk.
    case damaged(path: String, offset: Int, firstLost: UInt64, lastLost: UInt64, reason: String)
    /// A frame has the right checksum, but does not follow the format: its writer was faulty, or newer.
    case malformed(path: String, offset: Int, reason: String)
    /// A frame is larger than the reader allows.
    case frameTooLarge(path: String, offset: Int, bytes: Int, limit: Int)
    /// The bytes of a record cannot be decoded, or an action cannot be encoded. Without an offset, the error concerns
    /// all records of the kind.
    case codec(path: String, offset: Int?, kind: String, error: CodecError)
    /// A record has a kind that the codec does not know.
    case unknownKind(path: String, offset: Int, kind: String, sequence: UInt64)
    /// The file does not hold what was asked for, for example an initial state.
    case missing(path: String, what: String)
}

extension RecordFileError: CustomStringConvertible {
    /// A text that says what happened, and how to correct it.
    public var description: String {
        switch self {
        case .system(let call, let path, let reason):
            """
            '\(path)': \(call) failed: \(reason). Check that the folder exists, may be written and has free space. What \
            was acknowledged before is in the file.
            """
        case .exists(let path):
            "'\(path)' exists already, and a file of records is never overwritten. Choose another path, or move it away."
        case .headerTooLarge(let path):
            "'\(path)': the names and layouts of the kinds do not fit a header (65,280 kinds, 1,000 types, 16 MiB). Use fewer."
        case .notARecordFile(let path):
            "'\(path)' is no file of records. Give the path of a recorded session or of a segment of a journal."
        case .cutHeader(let path, let bytes, let needed):
            """
            '\(path)' has \(bytes) bytes, its header needs \(needed): it was cut off before its first record. Copy it \
            again, or remove it: it holds no action.
            """
        case .otherVersion(let path, let found, let supported):
            """
            '\(path)' has version \(found) of the format, this program reads version \(supported). Read it with the \
            version of Millrace that wrote it.
            """
        case .damagedHeader(let path, let reason):
            "The header of '\(path)' is damaged: \(reason). Use another copy of the file."
        case .damaged(let path, let offset, let first, let last, let reason):
            """
            '\(path)' is damaged at byte \(offset): \(reason). The actions \(first) to \(last) had been synced to the \
            disk, as a later frame says. Use another copy of the file; to give up what is lost, cut the file at byte \
            \(offset).
            """
        case .malformed(let path, let offset, let reason):
            """
            '\(path)' has a record at byte \(offset) that the format does not allow: \(reason). Its checksum is right, so \
            it was written so: read it with the version of Millrace that wrote it.
            """
        case .frameTooLarge(let path, let offset, let bytes, let limit):
            """
            '\(path)' has a frame of \(bytes) bytes at byte \(offset), and the limit is \(limit). Read it with a larger \
            'maximumFrame'.
            """
        case .codec(let path, let offset, let kind, let error):
            "'\(path)'\(offset.map { " at byte \($0)" } ?? ""), kind '\(kind)': \(error)"
        case .unknownKind(let path, let offset, let kind, let sequence):
            """
            '\(path)' has action \(sequence) at byte \(offset), of a kind '\(kind)' that the codec does not know. Add the \
            kind, or add an upcaster from the version that had it, or read with the policy '.skip' or '.park'.
            """
        case .missing(let path, let what):
            "'\(path)' holds no \(what): it is not the file of a recorded session, or it was cut off too early."
        }
    }
}
