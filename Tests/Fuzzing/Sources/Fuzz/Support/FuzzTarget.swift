// SPDX-License-Identifier: Apache-2.0

import Glibc

/// One reader of foreign bytes, and what must be true of it for every input.
struct FuzzTarget: Sendable {
    /// The name, also of its folder in Corpus.
    var name: String
    /// The longest input that libFuzzer makes.
    var mostBytes = 4096
    /// The largest allocation that it may make, in megabytes.
    var mostMegabytes = 16
    /// Valid inputs to begin with, by the names of their files.
    var seeds: @Sendable () -> [(name: String, bytes: [UInt8])]
    /// Reads an input and checks the properties.
    var run: @Sendable ([UInt8]) -> Void
}

/// Ends the program if a property is not true: libFuzzer then keeps the input.
func expect(_ condition: Bool, _ message: @autoclosure () -> String, line: Int = #line, file: String = #fileID) {
    if condition { return }
    complain("PROPERTY BROKEN at \(file):\(line): \(message())")
    abort()
}

func complain(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = write(2, bytes, bytes.count)
}

func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
}

/// The input as numbers, taken from its beginning; zeros after its end.
struct Choices {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { place >= bytes.count }

    mutating func byte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func number(below limit: Int) -> Int { limit <= 0 ? 0 : Int(word() % UInt32(limit)) }

    mutating func word() -> UInt32 { (0..<4).reduce(0) { word, _ in word << 8 | UInt32(byte()) } }

    mutating func text(_ count: Int) -> String { String(decoding: (0..<count).map { _ in byte() }, as: UTF8.self) }

    /// What is left.
    mutating func rest() -> [UInt8] {
        defer { place = bytes.count }
        return place < bytes.count ? Array(bytes[place...]) : []
    }
}

/// A file with the given bytes, for readers that take a path. One at a time.
func withFile(_ bytes: [UInt8], named name: String = "input", _ body: (String) -> Void) {
    let path = "\(scratch)/\(name)-\(getpid())"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else {
        complain("cannot write \(path)")
        exit(1)
    }
    close(descriptor)
    body(path)
    unlink(path)
}

/// The folder for such files: scripts/fuzz.sh removes it.
let scratch = environment("MILLRACE_FUZZ_SCRATCH") ?? "/tmp"

/// The bytes of a file; none if it cannot be read.
func contents(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes
}
