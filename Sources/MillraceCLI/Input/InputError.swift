// SPDX-License-Identifier: Apache-2.0

/// Why an input could not be read, or not to its end.
enum InputError: Error, Equatable {
    case system(SystemError)
    /// The compressed data is damaged. Places are in bytes of the compressed input, from 0.
    case damaged(Compression, at: UInt64, reason: String)
    /// The input ends within a compressed member or frame.
    case cutOff(Compression, at: UInt64)
    /// Other data follows a member or frame.
    case trailing(Compression, at: UInt64)
    /// Decompressing needs more memory than is allowed.
    case window(Compression, at: UInt64)
    /// The input is compressed by a program that is not supported.
    case unsupported(program: String)

    /// What happened, and how to correct it.
    var words: String {
        switch self {
        case .system(let error): error.words
        case .damaged(let kind, let place, let reason):
            """
            its \(kind.rawValue) data is damaged at byte \(Figures.grouped(place)) (\(reason)). The lines before are \
            counted. Copy the file again
            """
        case .cutOff(let kind, let place):
            """
            it ends at byte \(Figures.grouped(place)), before its \(kind.rawValue) data does. The lines before are \
            counted. Copy the file again, or wait until it is written
            """
        case .trailing(let kind, let place):
            """
            from byte \(Figures.grouped(place)) on, it is not \(kind.rawValue) data. The lines before are counted. \
            Remove what follows
            """
        case .window(let kind, let place):
            """
            the \(kind.rawValue) frame at byte \(Figures.grouped(place)) needs a window of more than 128 MiB. Decompress \
            it yourself: zstd -dc --long=31 FILE | millrace run -
            """
        case .unsupported(let program):
            "it is compressed by \(program). Decompress it yourself: \(program) -dc FILE | millrace run -"
        }
    }
}

/// The kinds of compression that inputs may have.
enum Compression: String, Equatable, Sendable {
    case gzip, zstd

    /// The number of bytes that tell the kind.
    static let magicLength = 6

    /// Returns the kind of an input by its first bytes; nil if it is not compressed. The name does not matter.
    static func of(_ bytes: some Collection<UInt8>) throws(InputError) -> Compression? {
        let first = Array(bytes.prefix(magicLength))
        if first.starts(with: [0x1F, 0x8B, 0x08]) { return .gzip }
        if first.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { return .zstd }
        // A skippable frame of zstd, which pzstd and others put first.
        if first.count >= 4, first[0] & 0xF0 == 0x50, first[1...3].elementsEqual([0x2A, 0x4D, 0x18]) { return .zstd }
        if first.starts(with: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) { throw .unsupported(program: "xz") }
        if first.count >= 4, first.starts(with: Array("BZh".utf8)), (0x31...0x39).contains(first[3]) {
            throw .unsupported(program: "bzip2")
        }
        if first.starts(with: [0x04, 0x22, 0x4D, 0x18]) { throw .unsupported(program: "lz4") }
        return nil
    }

    /// Whether these bytes, which are fewer than ``magicLength``, may begin a compressed input.
    static func mayBegin(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        return [0x1F, 0x28, 0xFD, 0x42, 0x04].contains(first) || first & 0xF0 == 0x50
    }
}
