// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Takes chunks, parses their lines and dispatches what it finds, until there are no more chunks. Runs on one thread.
struct Producer: ~Copyable {
    /// Actions dispatched at once: one claim in the store's queue.
    static let batch = 1024
    /// A producer that is this many actions ahead of the store waits, so that memory stays bounded for any input.
    static let maximumPending: UInt64 = 1 << 18

    private let store: LogStore
    private let source: any ChunkSource
    private let tally: Tally
    private let buffer = ChunkBuffer()
    private var encoder: EventEncoder
    private var actions: ContiguousArray<LogAction> = []

    init(
        number: Int,
        store: LogStore,
        source: any ChunkSource,
        tally: Tally,
        format: LogFormat,
        maximumKeys: Int
    ) {
        self.store = store
        self.source = source
        self.tally = tally
        encoder = EventEncoder(producer: UInt16(number), format: format, maximumKeys: maximumKeys)
        // One line may bring a definition in each dimension.
        actions.reserveCapacity(Self.batch + KeyDimension.allCases.count + 1)
    }

    consuming func run() {
        while let chunk = source.next(into: buffer) {
            read(chunk)
            while store.metrics.pending > Self.maximumPending { pauseThread(microseconds: 100) }
        }
    }

    /// Parses a chunk and dispatches its actions.
    mutating func read(_ chunk: Chunk) {
        var start = BytePointer(buffer.base + chunk.lines.lowerBound)
        let end = BytePointer(buffer.base + chunk.lines.upperBound)
        let mayBeBinary = ByteSearch.far(0, start, end) != nil
        var line: UInt32 = 0
        var events: UInt64 = 0
        while start < end {
            let newline = ByteSearch.far(Byte.newline, start, end)
            let reason = parse(start, newline ?? end, isTerminated: newline != nil, mayBeBinary: mayBeBinary)
            if let reason {
                actions.append(.malformed(.init(chunk: chunk.index, line: line, reason: reason)))
            } else {
                events += 1
            }
            line += 1
            start = (newline ?? end - 1) + 1
            if actions.count >= Self.batch { dispatch() }
        }
        if chunk.endsWithOverlongLine {
            actions.append(.malformed(.init(chunk: chunk.index, line: line, reason: .lineTooLong)))
            line += 1
        }
        actions.append(.chunkRead(.init(chunk: chunk.index, lines: line, input: chunk.input, pass: chunk.pass)))
        dispatch()
        tally.add(events)
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
        let reason = encoder.encode(start, end, isTerminated: isTerminated) { actions.append($0) }
        return reason == nil || isTerminated ? reason : .truncated
    }

    private mutating func dispatch() {
        store.dispatch(contentsOf: actions)
        actions.removeAll(keepingCapacity: true)
    }
}
