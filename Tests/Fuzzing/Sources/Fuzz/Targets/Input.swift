// SPDX-License-Identifier: Apache-2.0

@testable import MillraceTool

/// The bytes of an input of 'millrace run': plain, gzip or zstd.
///
/// A frame of zstd may want the window of 128 MiB that the tool allows, and a few blocks.
let inputTarget = FuzzTarget(name: "input", mostMegabytes: 132, seeds: inputSeeds) { input in
    withFile(input) { path in
        let whole = chunks(of: path)
        expect(whole == chunks(of: path), "read twice, it is not the same")
        let isPacked = input.starts(with: [0x1F, 0x8B]) || input.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        guard !isPacked, whole.failures.isEmpty else { return }
        let mark = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        expect(
            whole.text == Array(input.dropFirst(mark).prefix(whole.text.count)),
            "a plain file is read as other bytes"
        )
        expect(whole.text.count == max(0, input.count - mark), "\(whole.text.count) of \(input.count) bytes")
    }
}

private struct Content: Equatable {
    var text: [UInt8] = []
    var failures: Set<Int> = []
    var complaints: [String] = []
}

private final class Complaints: @unchecked Sendable {
    // Unchecked because one thread reads the chunks, and so reports.
    var all: [String] = []
}

private func chunks(of path: String) -> Content {
    let complaints = Complaints()
    let chunks = InputChunks(inputs: [InputSource(path)], repeating: 1, interruption: Interruption()) { text in
        complaints.all.append(text)
    }
    let buffer = ChunkBuffer()
    var content = Content()
    var number: UInt64 = 0
    // A bomb is read a chunk at a time: it is enough to look at the first of them.
    while number < 16, let chunk = chunks.next(into: buffer) {
        expect(chunk.index == number, "chunk \(chunk.index) follows \(number)")
        expect(0 <= chunk.lines.lowerBound && chunk.lines.upperBound <= buffer.capacity, "\(chunk.lines)")
        content.text += UnsafeBufferPointer(start: buffer.base + chunk.lines.lowerBound, count: chunk.lines.count)
        number += 1
    }
    content.failures = chunks.failures
    content.complaints = complaints.all
    return content
}

@Sendable private func inputSeeds() -> [(name: String, bytes: [UInt8])] {
    let plain = Array("1.2.3.4 - - [17/May/2015:10:05:03 +0000] \"GET / HTTP/1.1\" 200 1\n".utf8)
    // 'printf a\\n | gzip -9n', and the same by 'zstd -19'.
    let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0x4B, 0xE4, 2, 0, 7, 0xA1, 0xEA, 0xDD, 2, 0, 0, 0,
    ]
    let zstd: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 2, 0x11, 0, 0, 0x61, 0x0A]
    return [
        ("plain", plain), ("mark", [0xEF, 0xBB, 0xBF] + plain), ("gzip", gzip), ("gzip-two", gzip + gzip + [0, 0, 0]),
        ("gzip-cut", Array(gzip.dropLast(9))), ("zstd", zstd), ("zstd-two", zstd + zstd),
        ("zstd-cut", Array(zstd.dropLast())), ("unterminated", Array(plain.dropLast())),
    ]
}
