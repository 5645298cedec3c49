// SPDX-License-Identifier: Apache-2.0

/// Whole lines in a `ChunkBuffer`, and their origin.
struct Chunk: Equatable, Sendable {
    /// The number of the chunk in the whole input: 0, 1, 2 … without gaps.
    var index: UInt64
    /// The number of the input (file) of the chunk, in the order of the command line.
    var input: UInt32
    /// The number of the repetition, from 0.
    var pass: UInt32
    /// The lines, as offsets into the buffer.
    var lines: Range<Int> = 0..<0
    /// Whether the last line has no newline, because the input ends there.
    var isUnterminated = false
    /// Whether one more line follows `lines` that is longer than the longest allowed line. Its bytes are not kept.
    var endsWithOverlongLine = false
    /// The layout of the lines, if it was found out, or depends on the lines before; nil: the layout of `--format`.
    var format: LogFormat?
}

/// A source that gives chunks to several producers.
protocol ChunkSource: Sendable {
    /// Fills `buffer` with the next whole lines and returns their chunk, or nil at the end. Any thread may call this,
    /// each with its own buffer.
    func next(into buffer: ChunkBuffer) -> Chunk?
}
