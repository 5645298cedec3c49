// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MillraceCLI

/// Lines of an input as chunks give them; a line that is too long is "…".
private func chunkLines(
    _ sources: [InputSource],
    repeating passes: Int = 1,
    report: @escaping @Sendable (String) -> Void = { _ in }
) -> [String] {
    let chunks = InputChunks(inputs: sources, repeating: passes, interruption: Interruption(), report: report)
    let buffer = ChunkBuffer()
    var found: [String] = []
    var index: UInt64 = 0
    while let chunk = chunks.next(into: buffer) {
        #expect(chunk.index == index)
        index += 1
        let bytes = Array(UnsafeBufferPointer(start: buffer.base, count: chunk.lines.upperBound)[chunk.lines])
        found += lines(of: bytes).map {
            $0.count > LineParser.maximumLength ? "…" : String(decoding: $0, as: UTF8.self)
        }
        if chunk.endsWithOverlongLine { found.append("…") }
    }
    return found
}

/// A FIFO that gives these bytes. It is read as a stream.
private func pipe(_ scratch: Scratch, _ bytes: [UInt8]) throws -> String {
    let path = "\(scratch.path)/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    Thread {
        guard let writer = FileHandle(forWritingAtPath: path) else { return }
        try? writer.write(contentsOf: Data(bytes))
        try? writer.close()
    }.start()
    return path
}

/// Lines of many lengths around every size that reading knows.
private func trickyLog(_ seed: UInt64) -> (bytes: [UInt8], lines: [String]) {
    var random = SplitMix64(seed: seed)
    let sizes = [
        0, 1, 63, 64, 4096, InputSource.chunkSize - 1, InputSource.chunkSize, InputSource.chunkSize + 1,
        InputSource.chunkSize + InputSource.slack, LineParser.maximumLength - 1, LineParser.maximumLength,
        LineParser.maximumLength + 1, LineParser.maximumLength + InputSource.chunkSize, 3_000_000,
    ]
    var bytes: [UInt8] = []
    var expected: [String] = []
    for number in 0..<14 {
        let size = sizes[random.below(sizes.count)] + random.below(3)
        let line = "\(number)" + String(repeating: "x", count: size)
        bytes.append(contentsOf: line.utf8)
        bytes.append(Byte.newline)
        expected.append(line.utf8.count > LineParser.maximumLength ? "…" : line)
    }
    if random.below(2) == 0 { bytes.removeLast() }
    return (bytes, expected)
}

@Suite struct InputChunksTests {
    @Test(arguments: 1...8)
    func aFileGivesItsLinesOnceAndInOrder(_ seed: UInt64) throws {
        let scratch = Scratch()
        let (bytes, expected) = trickyLog(seed)
        let found = chunkLines([.file(try scratch.file("tricky", bytes))])
        #expect(found.map(\.count) == expected.map(\.count))
        #expect(found == expected)
    }

    /// A newline before, at and behind each border between chunks: every line belongs to one chunk.
    @Test(arguments: -3...3)
    func linesThatEndAtABorder(_ offset: Int) throws {
        let scratch = Scratch()
        let first = String(repeating: "a", count: InputSource.chunkSize + offset)
        let second = String(repeating: "b", count: InputSource.chunkSize - 1)
        let expected = [first, second, "c", second, "d"]
        let path = try scratch.file("border", Array((expected.joined(separator: "\n") + "\n").utf8))
        #expect(
            chunkLines([.file(path)]).map { "\($0.first!)\($0.count)" } == expected.map { "\($0.first!)\($0.count)" }
        )
    }

    @Test(arguments: 1...8)
    func aPipeGivesTheSame(_ seed: UInt64) throws {
        let scratch = Scratch()
        let (bytes, expected) = trickyLog(seed)
        let found = chunkLines([.file(try pipe(scratch, bytes))])
        #expect(found.map(\.count) == expected.map(\.count))
        #expect(found == expected)
    }

    @Test func readsFilesInOrderAndRepeatsTheWhole() throws {
        let scratch = Scratch()
        let first = try scratch.file("1", Array("a\nb\n".utf8))
        let second = try scratch.file("2", Array("c".utf8))
        #expect(chunkLines([.file(first), .file(second)], repeating: 2) == ["a", "b", "c", "a", "b", "c"])
    }

    /// Editors of some systems begin a file with U+FEFF.
    @Test func aByteOrderMarkIsNoPartOfTheFirstLine() throws {
        let scratch = Scratch()
        let bytes = [0xEF, 0xBB, 0xBF] + Array("a\n\u{FEFF}b\n".utf8)
        #expect(chunkLines([.file(try scratch.file("file", bytes))]) == ["a", "\u{FEFF}b"])
        #expect(chunkLines([.file(try scratch.file("mark", [0xEF, 0xBB, 0xBF]))]).joined() == "")
        #expect(chunkLines([.file(try pipe(scratch, bytes))]) == ["a", "\u{FEFF}b"])
    }

    @Test func complainsOnceOfEachInputItCannotReadAndGoesOn() throws {
        let scratch = Scratch()
        let good = try scratch.file("good", Array("a\n".utf8))
        let messages = Messages()
        let found = chunkLines(
            [.file("\(scratch.path)/missing"), .file(good), .file(scratch.path)],
            repeating: 2,
            report: { messages.add($0) }
        )
        #expect(found == ["a", "a"])
        #expect(
            messages.all == [
                "cannot read '\(scratch.path)/missing': No such file or directory",
                "cannot read '\(scratch.path)': Is a directory",
            ]
        )
    }
}

private final class Messages: @unchecked Sendable {
    // Unchecked: the lock guards the only field.
    private let lock = NSLock()
    private var messages: [String] = []

    var all: [String] { lock.withLock { messages } }

    func add(_ message: String) {
        lock.withLock { messages.append(message) }
    }
}
