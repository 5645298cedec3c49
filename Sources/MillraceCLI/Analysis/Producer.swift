// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Takes chunks, parses their lines and dispatches the actions, until there are no more chunks. Runs on one thread.
struct Producer: ~Copyable {
    private let shards: LogShards
    private let source: any ChunkSource
    private let parsed: EventCounter
    private let format: LogFormat
    private let buffer = ChunkBuffer()
    private var encoder: EventEncoder
    private var batches: ShardBatches

    init(
        number: Int,
        shards: LogShards,
        source: any ChunkSource,
        parsed: EventCounter,
        format: LogFormat,
        maximumKeys: Int,
        hash: KeyHash,
        keepsClients: Bool = false,
        numbers: [ProducerNumbers] = []
    ) {
        self.shards = shards
        self.source = source
        self.parsed = parsed
        self.format = format
        encoder = EventEncoder(
            producer: UInt16(number),
            format: format,
            maximumKeys: maximumKeys,
            hash: hash,
            shards: shards.count,
            keepsClients: keepsClients
        )
        batches = ShardBatches(shards, numbers: numbers)
    }

    consuming func run() {
        // On the main queue, a dispatch that waits for room would block the consumer of `--engine main`.
        dispatchPrecondition(condition: .notOnQueue(.main))
        while let chunk = source.next(into: buffer) {
            read(chunk)
            shards.pauseIfFarAhead()
        }
        batches.flush()
    }

    /// Parses a chunk and adds its actions to the batches. Full batches are dispatched.
    mutating func read(_ chunk: Chunk) {
        var start = BytePointer(buffer.base + chunk.lines.lowerBound)
        let end = BytePointer(buffer.base + chunk.lines.upperBound)
        let mayBeBinary = ByteSearch.far(0, start, end) != nil
        encoder.use(chunk.format ?? format)
        let hasDirectives = encoder.hasDirectives
        var line: UInt32 = 0
        var events: UInt64 = 0
        var directives: UInt32 = 0
        while start < end {
            let newline = ByteSearch.far(Byte.newline, start, end)
            if hasDirectives, start[0] == UInt8(ascii: "#") {
                encoder.take(directive: .init(start: start, count: (newline ?? end) - start))
                directives += 1
            } else if let reason = parse(
                start,
                newline ?? end,
                isTerminated: newline != nil,
                mayBeBinary: mayBeBinary
            ) {
                addMalformed(line, of: chunk, reason)
            } else {
                events += 1
            }
            line += 1
            start = (newline ?? end - 1) + 1
        }
        if chunk.endsWithOverlongLine {
            addMalformed(line, of: chunk, .lineTooLong)
            line += 1
        }
        let summary = ChunkSummary(
            chunk: chunk.index,
            lines: line,
            input: chunk.input,
            pass: chunk.pass,
            directives: directives
        )
        batches.add(control: .chunkRead(summary), to: LogShards.first)
        batches.endChunk()
        parsed.add(events)
    }

    @inline(__always)
    private mutating func parse(
        _ start: BytePointer,
        _ end: BytePointer,
        isTerminated: Bool,
        mayBeBinary: Bool
    ) -> MalformedReason? {
        if end - start > LineParser.maximumLength { return .lineTooLong }
        if mayBeBinary, ByteSearch.far(0, start, end) != nil { return .binaryData }
        let reason = encoder.encode(start, end, isTerminated: isTerminated, into: &batches)
        return reason == nil || isTerminated ? reason : .truncated
    }

    private mutating func addMalformed(_ line: UInt32, of chunk: Chunk, _ reason: MalformedReason) {
        let line = MalformedLine(chunk: chunk.index, line: line, reason: reason, input: chunk.input)
        batches.add(control: .malformed(line), to: LogShards.first)
    }
}
