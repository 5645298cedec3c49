// SPDX-License-Identifier: Apache-2.0

/// Reads whole lines from a pipe, a terminal or standard input. One thread at a time may call it.
final class StreamReader: @unchecked Sendable {
    // Unchecked because `InputChunks` calls it only while it holds its lock.
    private let file: FileDescriptor
    private let interruption: Interruption
    /// The start of a line whose end has not been read yet.
    private var carry: [UInt8] = []
    private var isInsideOverlongLine = false
    private var isAtEnd = false

    init(file: FileDescriptor, interruption: Interruption) {
        self.file = file
        self.interruption = interruption
    }

    /// Returns the next lines, or nil at the end.
    func read(into buffer: ChunkBuffer) throws(SystemError) -> RangeReader.Lines? {
        guard !isAtEnd else { return nil }
        var (first, count) = restore(to: buffer)
        while true {
            buffer.grow(to: count + InputSource.chunkSize, keeping: count)
            let got = try file.read(into: buffer.base + count, count: InputSource.chunkSize, unless: interruption)
            guard got > 0 else { return finish(first..<count) }
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
                return RangeReader.Lines(range: first..<end)
            }
            if count - first > LineParser.maximumLength {
                isInsideOverlongLine = true
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

    /// Returns the last line if it has no newline, or nil. An interrupted input has no last line.
    private func finish(_ line: Range<Int>) -> RangeReader.Lines? {
        isAtEnd = true
        if line.isEmpty || interruption.isRequested { return nil }
        return RangeReader.Lines(range: line, isUnterminated: true)
    }
}
