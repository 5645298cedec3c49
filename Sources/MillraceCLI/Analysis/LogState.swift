// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

/// The state of the analysis: all counts of the report. The counts are of events, lines or bytes.
struct LogState: Sendable {
    /// The number of malformed lines that the report shows.
    static let samples = 5

    private(set) var events: UInt64 = 0
    private(set) var malformed: UInt64 = 0
    /// The lines of the chunks that were read: events, malformed lines and directives.
    private(set) var lines: UInt64 = 0
    /// The lines that begin with `#` in the W3C format.
    private(set) var directives: UInt64 = 0
    /// The sum of the sizes of all events. It stays at its maximum instead of overflowing.
    private(set) var bytes: UInt64 = 0
    /// The number of events by status, 0 to 599.
    private(set) var statuses = ContiguousArray<UInt64>(repeating: 0, count: 600)
    private(set) var hosts: KeyTable
    private(set) var paths: KeyTable
    private(set) var minutes: KeyTable
    private(set) var methods: KeyTable
    /// The number of malformed lines by the raw value of their reason.
    private(set) var reasons = ContiguousArray<UInt64>(repeating: 0, count: MalformedReason.allCases.count)
    private(set) var ledger = LineLedger(limit: LogState.samples)
    /// The number of events that failed (``Alert/isFailure(_:)``), by the index of their minute.
    private(set) var failures: ContiguousArray<UInt64> = []
    /// The raised alerts, by the index of the minute.
    private var raised: [UInt32: Alert] = [:]
    /// The minutes that got events between the last two ends of a chunk or of the input.
    private(set) var changedMinutes: ContiguousArray<UInt32> = []
    /// The minutes that got events since the last end, each once.
    private var changing = ChangedMinutes()
    /// What the page of the log shows besides; nil if there is no page.
    private(set) var traffic: Traffic?
    /// What a journal says of the run that began it; nil in a run without a journal.
    private(set) var run: RunDescription?
    /// Whether all lines of the run are counted. Known only with a journal.
    private(set) var isComplete = false

    init(producers: Int, maximumKeys: Int, hasPage: Bool = false) {
        let table = KeyTable(producers: producers, budget: KeyBudget(maximum: maximumKeys))
        (hosts, paths, minutes) = (table, table, table)
        methods = KeyTable(producers: producers, budget: .methods(maximumKeys))
        if hasPage { traffic = Traffic(clients: table, maximumKeys: maximumKeys) }
    }

    /// Begins a run with a journal. So a recovery needs only the journal, and not the options of the run.
    mutating func begin(_ run: RunDescription) {
        self = LogState(producers: run.producers, maximumKeys: run.maximumKeys, hasPage: run.hasPage ?? false)
        self.run = run
    }

    /// Takes note that all lines are counted.
    mutating func end() {
        endChanges()
        isComplete = true
    }

    @inline(__always)
    mutating func count(_ event: AccessEvent) {
        let producer = Int(event.producer)
        events &+= 1
        let (sum, overflow) = bytes.addingReportingOverflow(event.size)
        bytes = overflow ? .max : sum
        statuses[Int(event.status)] &+= 1
        hosts.count(Int(event.host), of: producer)
        paths.count(Int(event.path), of: producer)
        let minute = minutes.count(Int(event.minute), of: producer)
        changing.note(minute)
        if Alert.isFailure(event.status) { countFailure(in: minute) }
        methods.count(Int(event.method), of: producer)
    }

    /// Counts an event for the page of the log, if there is one.
    mutating func countTraffic(_ event: AccessEvent) {
        guard traffic != nil else { return }
        let producer = Int(event.producer)
        let host = hosts.place(Int(event.host), of: producer)
        let path = paths.place(Int(event.path), of: producer)
        let minute = minutes.place(Int(event.minute), of: producer)
        traffic?.count(event, host: host, path: path, minute: minute, of: minutes)
    }

    private mutating func countFailure(in minute: Int) {
        let missing = minute + 1 - failures.count
        if missing > 0 { failures.append(contentsOf: repeatElement(0, count: missing)) }
        failures[minute] &+= 1
    }

    /// The alerts, in no defined order.
    var alerts: [Alert] { Array(raised.values) }

    func raisedAlert(_ minute: UInt32) -> Alert? { raised[minute] }

    /// Stores an alert. Each minute has one alert: a later one counts more events and replaces it.
    mutating func raise(_ alert: Alert) { raised[alert.minute] = alert }

    mutating func lower(_ minute: UInt32) { raised[minute] = nil }

    mutating func define(_ definition: KeyDefinition) {
        switch definition.dimension {
        case .host: hosts.define(definition)
        case .path: paths.define(definition)
        case .minute: minutes.define(definition)
        case .method: methods.define(definition)
        case .client: traffic?.define(definition)
        }
    }

    mutating func count(_ line: MalformedLine) {
        malformed &+= 1
        reasons[Int(line.reason.rawValue)] &+= 1
        ledger.add(line)
    }

    mutating func close(_ chunk: ChunkSummary) {
        lines &+= UInt64(chunk.lines)
        directives &+= UInt64(chunk.directives)
        ledger.close(chunk)
        endChanges()
    }

    /// Ends an interval of `changedMinutes`. A middleware that reads them at each end of a chunk and of the input sees
    /// every change once.
    mutating func endChanges() { changing.take(into: &changedMinutes) }
}

extension LogState {
    /// Returns the counts of all shards, as one store would have them. There must be at least one shard.
    static func merged(_ states: [LogState]) -> LogState {
        var total = states[LogShards.first]
        for state in states.dropFirst() { total.add(state) }
        return total
    }

    private mutating func add(_ state: LogState) {
        events &+= state.events
        let (sum, overflow) = bytes.addingReportingOverflow(state.bytes)
        bytes = overflow ? .max : sum
        for status in statuses.indices { statuses[status] &+= state.statuses[status] }
        let hostPlaces = hosts.add(state.hosts)
        let pathPlaces = paths.add(state.paths)
        let minutePlaces = minutes.add(state.minutes)
        methods.add(state.methods)
        if let other = state.traffic {
            traffic?.add(other, hosts: hostPlaces, paths: pathPlaces, minutes: minutePlaces)
        }
        // Only the first state has malformed lines, lines and the ledger: see LogShards. Alerts need a single store.
    }
}

extension KeyBudget {
    /// Returns the limit of the table of methods. There are few real methods, and the numbers must fit into 16 bits.
    static func methods(_ maximum: Int) -> KeyBudget {
        KeyBudget(maximum: min(maximum, 1000))
    }
}

extension LogState {
    /// Writes the state for a snapshot.
    func write(to output: inout RecordBuffer) {
        for number in [events, malformed, lines, directives, bytes] { output.append(number) }
        output.append(contentsOf: statuses)
        for table in [hosts, paths, minutes, methods] { table.write(to: &output) }
        output.append(contentsOf: reasons)
        ledger.write(to: &output)
        output.append(contentsOf: failures)
        output.append(UInt64(raised.count))
        for alert in raised.values.sorted(by: { $0.minute < $1.minute }) { alert.write(to: &output) }
        output.append(contentsOf: changedMinutes)
        changing.write(to: &output)
        output.append(isComplete ? 1 as UInt8 : 0)
        output.append(traffic == nil ? 0 as UInt8 : 1)
        traffic?.write(to: &output)
    }

    /// Reads a state from a snapshot.
    ///
    /// - Parameters:
    ///   - run: What the snapshot says of the run.
    ///   - hasTraffic: Whether the snapshot says if there is a page; those of version 1 do not.
    init(_ source: inout StateBytes, run: RunDescription?, hasTraffic: Bool) throws(CodecError) {
        self.init(producers: 0, maximumKeys: 0)
        self.run = run
        (events, malformed, lines) = (try source.next(), try source.next(), try source.next())
        (directives, bytes) = (try source.next(), try source.next())
        statuses = try source.array(of: UInt64.self, count: statuses.count)
        hosts = try KeyTable(&source)
        paths = try KeyTable(&source)
        minutes = try KeyTable(&source)
        methods = try KeyTable(&source)
        reasons = try source.array(of: UInt64.self, count: reasons.count)
        ledger = try LineLedger(&source)
        failures = try source.array(of: UInt64.self)
        for _ in 0..<(try source.count()) { raise(try Alert(&source)) }
        changedMinutes = try source.array(of: UInt32.self)
        changing = try ChangedMinutes(&source, minutes: minutes.counts.count)
        isComplete = try source.next() as UInt8 == 1
        if hasTraffic, try source.next() as UInt8 == 1 {
            traffic = try Traffic(&source, hosts: hosts, paths: paths, minutes: minutes)
        }
    }
}
