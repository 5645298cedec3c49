// SPDX-License-Identifier: Apache-2.0

/// Reads whole lines from a pipe, a terminal, standard input, or a file that is read in one piece. One thread at a time
/// may call it.
final class StreamReader: @unchecked Sendable {
    // Unchecked because `InputChunks` calls it only while it holds its lock.
    private let source: any ByteStream
    private let interruption: Interruption
    /// The start of a line whose end has not been read yet.
    private var carry: [UInt8] = []
    private var isInsideOverlongLine = false
    private var isAtStart = true
    private var isAtEnd = false
    /// An error that is thrown at the next call, because a part of a line came before it.
    private var failure: InputError?

    init(_ source: any ByteStream, interruption: Interruption) {
        self.source = source
        self.interruption = interruption
    }

    /// Returns the next lines, or nil at the end.
    func read(into buffer: ChunkBuffer) throws(InputError) -> RangeReader.Lines? {
        if let failure { throw failure }
        guard !isAtEnd else { return nil }
        var (first, count) = restore(to: buffer)
        while true {
            buffer.grow(to: count + InputSource.chunkSize, keeping: count)
            let got: Int
            do throws(InputError) {
                got = try source.read(into: buffer.base + count, count: InputSource.chunkSize)
            } catch {
                // The beginning of a line that cannot be read to its end is a line, too.
                failure = error
                guard let rest = finish(start(first..<count, in: buffer)) else { throw error }
                return rest
            }
            guard got > 0 else { return finish(start(first..<count, in: buffer)) }
            var fresh = count
            count += got
            if isInsideOverlongLine {
                guard let newline = ByteSearch.far(Byte.newline, buffer.base, buffer.base + count) else {
                    count = 0
                    continue
                }
                isInsideOverlongLine = false
                first = newline - BytePointer(buffer.base) + 1
                fresh = first
            }
            if let newline = ByteSearch.last(Byte.newline, buffer.base + fresh, buffer.base + count) {
                let end = newline - BytePointer(buffer.base) + 1
                carry.append(contentsOf: UnsafeBufferPointer(start: buffer.base + end, count: count - end))
                return RangeReader.Lines(range: start(first..<end, in: buffer))
            }
            if count - first > LineParser.maximumLength {
                isInsideOverlongLine = true
                isAtStart = false
                return RangeReader.Lines(range: first..<first, endsWithOverlongLine: true)
            }
        }
    }

    /// Copies the start of the unfinished line into the buffer, so that it ends at an aligned address. Returns its
    /// range.
    private func restore(to buffer: ChunkBuffer) -> (first: Int, end: Int) {
        let step = ChunkBuffer.alignment
        let end = (carry.count + step - 1) / step * step
        let first = end - carry.count
        buffer.grow(to: end + InputSource.chunkSize, keeping: 0)
        carry.withUnsafeBufferPointer { carried in
            if let start = carried.baseAddress { (buffer.base + first).update(from: start, count: carried.count) }
        }
        carry.removeAll(keepingCapacity: true)
        return (first, end)
    }

    /// Returns these lines, without the byte order mark of the input if they are its first.
    private func start(_ lines: Range<Int>, in buffer: ChunkBuffer) -> Range<Int> {
        guard isAtStart else { return lines }
        isAtStart = false
        let mark = ByteSearch.markLength(buffer.base + lines.lowerBound, buffer.base + lines.upperBound)
        return lines.lowerBound + mark..<lines.upperBound
    }

    /// Returns the last line if it has no newline, or nil. An interrupted input has no last line.
    private func finish(_ line: Range<Int>) -> RangeReader.Lines? {
        isAtEnd = true
        if line.isEmpty || interruption.isRequested { return nil }
        return RangeReader.Lines(range: line, isUnterminated: true)
    }
}
