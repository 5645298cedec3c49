// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The chunks of all inputs of the command line, in order, with all repetitions.
///
/// Producers read the ranges of a plain file at the same time. An input that must be read in order has one reader,
/// which the producers call one after the other: a pipe, a compressed input, and a log in the W3C format, whose layout
/// may change.
final class InputChunks: ChunkSource {
    private let inputs: [InputSource]
    private let format: LogFormat
    private let interruption: Interruption
    private let report: @Sendable (String) -> Void
    private let cursor: Mutex<Cursor>

    /// - Parameters:
    ///   - format: The layout of all inputs; `auto`: each input's own.
    ///   - report: A closure that is called once for each input that cannot be read.
    init(
        inputs: [InputSource],
        format: LogFormat = .auto,
        repeating passes: Int,
        interruption: Interruption,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.inputs = inputs
        self.format = format
        self.interruption = interruption
        self.report = report
        cursor = Mutex(Cursor(passes: passes))
    }

    /// The numbers of the inputs that could not be read.
    var failures: Set<Int> { cursor.withLock { $0.failures } }

    /// The layout of each input: the one that was found out, or that of `--format`.
    var formats: [LogFormat] {
        let found = cursor.withLock { $0.formats }
        return inputs.indices.map { found[$0] ?? format }
    }

    func next(into buffer: ChunkBuffer) -> Chunk? {
        while true {
            guard !interruption.isRequested else { return nil }
            switch cursor.withLock({ advance(&$0, buffer) }) {
            case .end: return nil
            case .again: continue
            case .ready(let chunk): return chunk
            case .range(var chunk, let reader):
                do throws(SystemError) {
                    chunk.take(try reader.read(into: buffer))
                } catch {
                    cursor.withLock { fail(&$0, Int(chunk.input), .system(error)) }
                }
                return chunk  // Even without lines, because the numbers of chunks have no gaps.
            }
        }
    }

    private func advance(_ cursor: inout Cursor, _ buffer: ChunkBuffer) -> Step {
        switch cursor.current {
        case .file(let file) where cursor.offset < file.size:
            let end = min(cursor.offset + InputSource.chunkSize, file.size)
            let reader = RangeReader(file: file, range: cursor.offset..<end)
            cursor.offset = end
            return .range(cursor.newChunk(), reader)
        case .stream(let stream):
            do throws(InputError) {
                guard let lines = try stream.read(into: buffer) else { break }
                return .ready(chunk(of: lines, buffer, &cursor))
            } catch {
                fail(&cursor, cursor.input, error)
                return .again
            }
        case .file, .none: break
        }
        return openNext(&cursor)
    }

    /// Returns the chunk of some lines of a stream, and finds out their layout.
    private func chunk(of lines: RangeReader.Lines, _ buffer: ChunkBuffer, _ cursor: inout Cursor) -> Chunk {
        let text = UnsafeBufferPointer(
            start: BytePointer(buffer.base) + lines.range.lowerBound,
            count: lines.range.count
        )
        if format == .auto, cursor.formats[cursor.input] == nil, !text.isEmpty {
            cursor.formats[cursor.input] = FormatDetector.format(of: text)
        }
        var chunk = cursor.newChunk()
        chunk.take(lines)
        if (cursor.formats[cursor.input] ?? format).hasDirectives {
            chunk.format = .w3c(cursor.columns)
            // The last one holds for what follows.
            cursor.columns = W3CColumns.last(in: text) ?? cursor.columns
        }
        return chunk
    }

    private func openNext(_ cursor: inout Cursor) -> Step {
        cursor.current = nil
        cursor.columns = nil
        cursor.input += 1
        if cursor.input == inputs.count {
            cursor.input = 0
            cursor.pass += 1
        }
        guard cursor.pass < cursor.passes, !inputs.isEmpty else {
            cursor.input = inputs.count - 1  // Later calls return the end again.
            return .end
        }
        guard !cursor.failures.contains(cursor.input) else { return .again }
        do throws(InputError) {
            let file = try open(inputs[cursor.input])
            cursor.offset = 0
            cursor.current = try begin(file, &cursor)
        } catch {
            fail(&cursor, cursor.input, error)
        }
        return .again
    }

    private func open(_ input: InputSource) throws(InputError) -> FileDescriptor {
        do throws(SystemError) {
            return try input.open()
        } catch {
            throw .system(error)
        }
    }

    /// Looks at the first bytes of an input, and returns how it is read.
    private func begin(_ file: FileDescriptor, _ cursor: inout Cursor) throws(InputError) -> OpenInput {
        let plain = PlainStream(file: file, interruption: interruption)
        var source: any ByteStream = plain
        if file.size > 0 {
            let isKnown = format != .auto || cursor.formats[cursor.input] != nil
            let head = try FileHead(file, count: isKnown ? Compression.magicLength : FormatDetector.bytes)
            let compression = try Compression.of(head.bytes.prefix(Compression.magicLength))
            if let compression {
                source = try DecompressedStream(plain, compression)
            } else {
                if !isKnown { cursor.formats[cursor.input] = FormatDetector.format(of: head.bytes) }
                guard (cursor.formats[cursor.input] ?? format).hasDirectives else { return .file(file) }
            }
        } else if let compression = try plain.compression() {
            source = try DecompressedStream(plain, compression)
        }
        return .stream(StreamReader(source, interruption: interruption))
    }

    private func fail(_ cursor: inout Cursor, _ input: Int, _ error: InputError) {
        if cursor.input == input { cursor.current = nil }
        guard cursor.failures.insert(input).inserted else { return }
        report("cannot read '\(inputs[input].name)': \(error.words)")
    }
}

extension InputChunks {
    /// The current position in the inputs.
    private struct Cursor: Sendable {
        let passes: Int
        var pass = 0
        var input = -1
        var offset = 0
        var chunks: UInt64 = 0
        var current: OpenInput?
        var failures: Set<Int> = []
        /// The layouts that were found out.
        var formats: [Int: LogFormat] = [:]
        /// The columns that the last `#Fields` line of the current input names.
        var columns: W3CColumns?

        init(passes: Int) {
            self.passes = passes
        }

        mutating func newChunk() -> Chunk {
            defer { chunks += 1 }
            return Chunk(
                index: chunks,
                input: UInt32(input),
                pass: UInt32(pass),
                format: formats[input]
            )
        }
    }

    private enum OpenInput: Sendable {
        case file(FileDescriptor)
        case stream(StreamReader)
    }

    private enum Step: Sendable {
        case end, again
        case ready(Chunk)
        case range(Chunk, RangeReader)
    }
}

extension Chunk {
    fileprivate mutating func take(_ found: RangeReader.Lines) {
        lines = found.range
        isUnterminated = found.isUnterminated
        endsWithOverlongLine = found.endsWithOverlongLine
    }
}
