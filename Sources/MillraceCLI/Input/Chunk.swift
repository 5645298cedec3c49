// SPDX-License-Identifier: Apache-2.0

/// Whole lines in a `ChunkBuffer`, and where they come from.
struct Chunk: Equatable, Sendable {
    /// The place of the chunk in the whole input: 0, 1, 2 … without gaps.
    var index: UInt64
    /// The number of the input (file) it belongs to, in the order of the command line.
    var input: UInt32
    /// The number of the repetition, from 0.
    var pass: UInt32
    /// The lines, as offsets into the buffer.
    var lines: Range<Int> = 0..<0
    /// The last line has no newline: the input ends here.
    var isUnterminated = false
    /// After `lines` stands one more line that is longer than the longest allowed; its bytes are not kept.
    var endsWithOverlongLine = false
}

/// Hands out chunks to several producers.
protocol ChunkSource: Sendable {
    /// Fills `buffer` with the next whole lines, or returns nil at the end. Any thread may call it, each with its own
    /// buffer.
    func next(into buffer: ChunkBuffer) -> Chunk?
}
