// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import MillraceCLI

/// A log as the generator makes it.
func generatedLog(lines: Int, seed: UInt64) -> [UInt8] {
    let chunks = GeneratedChunks(events: lines, seed: seed, interruption: Interruption())
    let buffer = ChunkBuffer()
    var log: [UInt8] = []
    while let chunk = chunks.next(into: buffer) {
        log.append(contentsOf: UnsafeBufferPointer(start: buffer.base, count: chunk.lines.upperBound))
    }
    return log
}

/// The lines of a log, without their newlines.
func lines(of log: [UInt8]) -> [ArraySlice<UInt8>] {
    var lines = log.split(separator: Byte.newline, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
}

/// The same log with about one line in `oneIn` changed in a few bytes, mostly where the grammar looks.
func mutated(_ log: [UInt8], oneIn: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    let marks = Array("\"\"\" []-\\/:0159 aGz.+\t\r".utf8) + [0x80, 0xFF, 0x1B]
    var result: [UInt8] = []
    result.reserveCapacity(log.count + 1000)
    for line in lines(of: log) {
        var line = Array(line)
        if random.below(oneIn) == 0 {
            for _ in 0...random.below(3) {
                let place = line.isEmpty ? 0 : random.below(line.count)
                switch random.below(5) {
                case 0 where !line.isEmpty: line.remove(at: place)
                case 1: line.insert(marks[random.below(marks.count)], at: place)
                case 2 where !line.isEmpty: line.swapAt(place, random.below(line.count))
                case 3: line.removeLast(min(line.count, random.below(60)))
                default: if !line.isEmpty { line[place] = marks[random.below(marks.count)] }
                }
            }
        }
        result.append(contentsOf: line)
        result.append(Byte.newline)
    }
    return result
}

/// A directory that goes with its last reference.
final class Scratch: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "millrace-tests-" + UUID().uuidString
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file and returns its path.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
        let place = "\(path)/\(name)"
        try Data(bytes).write(to: URL(fileURLWithPath: place))
        return place
    }
}
