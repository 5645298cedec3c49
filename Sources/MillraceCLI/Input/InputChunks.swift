// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The chunks of all inputs of the command line, in order, with all repetitions.
final class InputChunks: ChunkSource {
    private let inputs: [InputSource]
    private let interruption: Interruption
    private let report: @Sendable (String) -> Void
    private let cursor: Mutex<Cursor>

    /// - Parameter report: A closure that is called once for each input that cannot be read.
    init(
        inputs: [InputSource],
        repeating passes: Int,
        interruption: Interruption,
        report: @escaping @Sendable (String) -> Void
    ) {
        self.inputs = inputs
        self.interruption = interruption
        self.report = report
        cursor = Mutex(Cursor(passes: passes))
    }

    /// The numbers of the inputs that could not be read.
    var failures: Set<Int> { cursor.withLock { $0.failures } }

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
                    cursor.withLock { fail(&$0, Int(chunk.input), error) }
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
            do throws(SystemError) {
                guard let lines = try stream.read(into: buffer) else { break }
                var chunk = cursor.newChunk()
                chunk.take(lines)
                return .ready(chunk)
            } catch {
                fail(&cursor, cursor.input, error)
                return .again
            }
        case .file, .none: break
        }
        return openNext(&cursor)
    }

    private func openNext(_ cursor: inout Cursor) -> Step {
        cursor.current = nil
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
        do throws(SystemError) {
            let file = try inputs[cursor.input].open()
            cursor.offset = 0
            let isStream = file.size == 0
            cursor.current = isStream ? .stream(StreamReader(file: file, interruption: interruption)) : .file(file)
        } catch {
            fail(&cursor, cursor.input, error)
        }
        return .again
    }

    private func fail(_ cursor: inout Cursor, _ input: Int, _ error: SystemError) {
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

        init(passes: Int) {
            self.passes = passes
        }

        mutating func newChunk() -> Chunk {
            defer { chunks += 1 }
            return Chunk(index: chunks, input: UInt32(input), pass: UInt32(pass))
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
