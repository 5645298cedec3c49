// SPDX-License-Identifier: Apache-2.0

/// Reads the lines that begin in a range of a regular file. It needs no other state, so producers read at the same
/// time.
struct RangeReader: Sendable {
    let file: FileDescriptor
    let range: Range<Int>

    /// The range of the lines in the buffer.
    struct Lines: Equatable, Sendable {
        var range = 0..<0
        var isUnterminated = false
        var endsWithOverlongLine = false
    }

    func read(into buffer: ChunkBuffer) throws(SystemError) -> Lines {
        // Starts a little earlier: a newline just before the range shows that a line begins with the range. It starts a
        // whole alignment step earlier, because the kernel copies several times faster to memory aligned like its
        // source.
        let origin = max(range.lowerBound - ChunkBuffer.alignment, 0)
        let wanted = range.upperBound - origin + InputSource.slack
        buffer.grow(to: wanted, keeping: 0)
        var count = try file.read(into: buffer.base, count: wanted, at: origin)
        let limit = min(range.upperBound - origin, count)

        var first = 0
        if range.lowerBound > 0 {
            let before = range.lowerBound - origin - 1
            guard before < limit,
                let newline = ByteSearch.far(Byte.newline, buffer.base + before, buffer.base + limit)
            else { return Lines() }
            first = newline - BytePointer(buffer.base) + 1
        } else {
            first = ByteSearch.markLength(buffer.base, buffer.base + limit)
        }
        guard first < limit else { return Lines() }

        // The last line of this range is the line with the last byte of the range.
        var searched = limit - 1
        while true {
            if let newline = ByteSearch.far(Byte.newline, buffer.base + searched, buffer.base + count) {
                return Lines(range: first..<(newline - BytePointer(buffer.base) + 1))
            }
            searched = count
            let lastLine = lastLineStart(in: buffer, from: first, limit: limit)
            if count - lastLine > LineParser.maximumLength {
                return Lines(range: first..<lastLine, endsWithOverlongLine: true)
            }
            let more = lastLine + LineParser.maximumLength + 2 - count
            buffer.grow(to: count + more, keeping: count)
            let got = try file.read(into: buffer.base + count, count: more, at: origin + count)
            if got == 0 { return Lines(range: first..<count, isUnterminated: true) }
            count += got
        }
    }

    private func lastLineStart(in buffer: ChunkBuffer, from first: Int, limit: Int) -> Int {
        guard let newline = ByteSearch.last(Byte.newline, buffer.base + first, buffer.base + limit) else {
            return first
        }
        return newline - BytePointer(buffer.base) + 1
    }
}
