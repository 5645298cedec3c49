// SPDX-License-Identifier: Apache-2.0

/// Turns lines into actions: one event or malformed line each, and a definition for each text it meets first.
struct EventEncoder: ~Copyable {
    let producer: UInt16
    private(set) var parser: LineParser
    private var hosts: KeyInterner
    private var paths: KeyInterner
    private var methods: KeyInterner
    private var minutes: KeyInterner
    /// The last minute: neighbours in a log mostly share it.
    private var lastMinute: (minute: Int64, number: UInt32) = (.min, 0)

    init(producer: UInt16, format: LogFormat, maximumKeys: Int) {
        self.producer = producer
        parser = LineParser(format: format)
        let hash = KeyHash()
        let budget = KeyBudget(maximum: maximumKeys)
        hosts = KeyInterner(hash: hash, budget: budget)
        paths = KeyInterner(hash: hash, budget: budget)
        minutes = KeyInterner(hash: hash, budget: budget)
        methods = KeyInterner(hash: hash, budget: .methods(maximumKeys), initialSlots: 64)
    }

    /// Passes the actions of one line, without its newline, to `emit`; returns what is wrong with the line, or nil.
    @inline(__always)
    mutating func encode(
        _ start: BytePointer,
        _ end: BytePointer,
        isTerminated: Bool,
        emit: (LogAction) -> Void
    ) -> MalformedReason? {
        if let reason = parser.parse(start, end, isTerminated: isTerminated) { return reason }
        emit(.event(event(of: parser.line, emit: emit)))
        return nil
    }

    @inline(__always)
    private mutating func event(of line: ParsedLine, emit: (LogAction) -> Void) -> AccessEvent {
        let host = hosts.number(of: line.host)
        if host.isNew { define(line.host, host.number, .host, emit: emit) }
        let path = paths.number(of: line.path)
        if path.isNew { define(line.path, path.number, .path, emit: emit) }
        let method = methods.number(of: line.method)
        if method.isNew { define(line.method, method.number, .method, emit: emit) }
        return AccessEvent(
            size: line.size,
            host: host.number,
            path: path.number,
            minute: number(of: line.minute, emit: emit),
            method: UInt16(truncatingIfNeeded: method.number),
            status: line.status,
            producer: producer
        )
    }

    @inline(__always)
    private mutating func number(of minute: Int64, emit: (LogAction) -> Void) -> UInt32 {
        if minute != lastMinute.minute { lastMinute = (minute, lookUp(minute, emit: emit)) }
        return lastMinute.number
    }

    private mutating func lookUp(_ minute: Int64, emit: (LogAction) -> Void) -> UInt32 {
        // The search for a text looks at whole words behind it.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 8 + ByteSearch.padding) { bytes in
            bytes.initialize(repeating: 0)
            UnsafeMutableRawBufferPointer(bytes).storeBytes(of: minute, as: Int64.self)
            let (number, isNew) = minutes.number(of: .init(rebasing: bytes[..<8]))
            if isNew { define(CivilTime.text(minute: minute), number, .minute, emit: emit) }
            return number
        }
    }

    @inline(never)
    private func define(
        _ text: some Sequence<UInt8>,
        _ number: UInt32,
        _ dimension: KeyDimension,
        emit: (LogAction) -> Void
    ) {
        emit(.define(.init(text: .init(bytes: Array(text)), number: number, producer: producer, dimension: dimension)))
    }
}
