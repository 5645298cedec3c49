// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

/// Makes texts of trace events in the format of Chrome's trace viewer, which Perfetto reads, too.
///
/// Complete events (`X`) for actions and stages, each on the track of its thread; effects overlap, so they are
/// asynchronous (`b`, `e`) and get tracks of their own; arrows (`s`, `f`) from an action to those it caused. The two
/// ends of an arrow are written together, when the caused action comes, so an arrow never has one end only; the causing
/// action has to be in the same part of the file, and among the last 65,536.
struct TraceEncoder {
    private let process: Int32
    /// Where the actions of late are: what an arrow begins at.
    private var places: [UInt64: Place] = [:]
    /// Their numbers, oldest at `oldest` when it is full.
    private var recent: [UInt64] = []
    private var oldest = 0
    /// The threads that have a name in this part.
    private var threads: Set<Int32> = []
    /// Identifies arrows and effects.
    private var serial: UInt64 = 0
    /// The names of the last batch as they stand in the file.
    private var names = Names()

    /// An event, with its time in nanoseconds from the origin.
    struct Slice {
        let event: TraceEvent
        let start: UInt64
        var end: UInt64
    }

    private struct Place {
        let thread: Int32
        /// The last nanosecond of the action.
        let end: UInt64
    }

    private struct Names {
        var stages: [String] = []
        var kinds: [String] = []
        var effects: [String] = []
    }

    static let mostRecent = 65_536

    init(process: Int32) {
        self.process = process
    }

    /// The event that says what the process is called.
    func processName(_ label: String) -> String {
        metadata("process_name", thread: 0, name: label)
    }

    /// A mark over all threads of the process.
    func mark(_ text: String, at time: UInt64) -> String {
        """
        {"ph":"i","s":"p","cat":"stall","name":"stall","pid":\(process),"tid":0,"ts":\(microseconds(time)),\
        "args":{"what":\(Escaping.json(text))}}
        """
    }

    /// Begins a part that needs nothing of what was written before.
    mutating func beginPart() {
        places.removeAll(keepingCapacity: true)
        recent.removeAll(keepingCapacity: true)
        oldest = 0
        threads.removeAll(keepingCapacity: true)
    }

    /// The events of a batch in the order in which they are to be written: what holds another one comes before it, and
    /// what caused one as well.
    ///
    /// On each thread they are nested: a viewer drops a slice that begins within another one and ends after it. Both
    /// ends are converted from ticks alike, so that nesting is kept; where the clock of one processor is behind that of
    /// another, the inner slice ends with the outer one.
    mutating func slices(of batch: TraceBatch) -> [Slice] {
        Self.extend(&names.stages, batch.stages)
        Self.extend(&names.kinds, batch.kinds)
        Self.extend(&names.effects, batch.effects)
        var slices = batch.events.map { Slice(event: $0, start: batch.start(of: $0), end: batch.end(of: $0)) }
        // Of two with the same times the one that was recorded last holds the other.
        let order = slices.indices.sorted { first, second in
            let (one, two) = (slices[first], slices[second])
            return (one.start, two.end, second) < (two.start, one.end, first)
        }
        var open: [Int32: [UInt64]] = [:]
        for index in order where slices[index].event.what != .effect {
            let slice = slices[index]
            open[slice.event.thread, default: []].hold(&slices[index].end, from: slice.start)
        }
        return order.map { slices[$0] }
    }

    /// One or more JSON objects that belong together.
    mutating func text(of slice: Slice) -> String {
        let event = slice.event
        var texts: [String] = []
        if event.what != .effect, threads.insert(event.thread).inserted {
            texts.append(metadata("thread_name", thread: event.thread, name: "thread \(event.thread)"))
        }
        switch event.what {
        case .action:
            texts.append(action(slice))
            if let arrow = arrow(to: slice) { texts.append(arrow) }
        case .stage: texts.append(stage(slice))
        case .effect: texts.append(effect(slice))
        }
        return texts.joined(separator: ",\n")
    }

    /// Notes that a slice is in the file, so that arrows may begin at it.
    mutating func note(_ slice: Slice) {
        let (event, last) = (slice.event, slice.end - min(1, slice.end))
        guard event.what == .action else { return }
        places[event.number] = Place(thread: event.thread, end: max(slice.start, last))
        if recent.count < Self.mostRecent {
            recent.append(event.number)
        } else {
            places[recent[oldest]] = nil
            recent[oldest] = event.number
            oldest = (oldest + 1) % Self.mostRecent
        }
    }

    private func action(_ slice: Slice) -> String {
        let event = slice.event
        let root = event.root == 0 ? event.number : event.root
        return """
            {"ph":"X","cat":"action","name":\(kind(event)),\(times(slice)),\
            "args":{"number":\(event.number),"parent":\(event.parent),"root":\(root),\
            "queued_us":\(microseconds(event.nanosecondsQueued))}}
            """
    }

    private func stage(_ slice: Slice) -> String {
        let event = slice.event
        let name = Self.name(event.stage, names.stages)
        let args = event.number == 0 ? "{}" : "{\"number\":\(event.number),\"kind\":\(kind(event))}"
        return "{\"ph\":\"X\",\"cat\":\"stage\",\"name\":\(name),\(times(slice)),\"args\":\(args)}"
    }

    private mutating func effect(_ slice: Slice) -> String {
        serial += 1
        let event = slice.event
        let head = """
            "cat":"effect","name":\(Self.name(event.stage, names.effects)),"id":"e\(serial)",\
            "pid":\(process),"tid":\(event.thread)
            """
        return """
            {"ph":"b",\(head),"ts":\(microseconds(slice.start)),"args":{"number":\(event.number)}},
            {"ph":"e",\(head),"ts":\(microseconds(slice.end))}
            """
    }

    private mutating func arrow(to slice: Slice) -> String? {
        let event = slice.event
        guard event.parent != 0, let from = places[event.parent] else { return nil }
        serial += 1
        let head = "\"cat\":\"cause\",\"name\":\"caused\",\"id\":\"c\(serial)\",\"pid\":\(process)"
        // Two threads' clocks agree to some tens of nanoseconds; an arrow must not point back.
        let begin = min(from.end, slice.start)
        return """
            {"ph":"s",\(head),"tid":\(from.thread),"ts":\(microseconds(begin))},
            {"ph":"f","bp":"e",\(head),"tid":\(event.thread),"ts":\(microseconds(slice.start))}
            """
    }

    private func times(_ slice: Slice) -> String {
        """
        "pid":\(process),"tid":\(slice.event.thread),"ts":\(microseconds(slice.start)),\
        "dur":\(microseconds(slice.end - slice.start))
        """
    }

    private func metadata(_ what: String, thread: Int32, name: String) -> String {
        """
        {"ph":"M","name":"\(what)","pid":\(process),"tid":\(thread),"args":{"name":\(Escaping.json(name))}}
        """
    }

    private func kind(_ event: TraceEvent) -> String { Self.name(event.kind, names.kinds) }

    /// Exactly: the format counts in microseconds, and a nanosecond is one of the last three digits.
    private func microseconds(_ nanoseconds: UInt64) -> String { Decimal.scaled(nanoseconds, 3) }

    private static func name(_ index: UInt16, _ names: [String]) -> String {
        names.indices.contains(Int(index)) ? names[Int(index)] : "\"?\""
    }

    private static func extend(_ names: inout [String], _ all: [String]) {
        if all.count > names.count { names += all[names.count...].map(Escaping.json) }
    }
}

extension [UInt64] {
    /// The ends of the slices that hold the next one: takes away those that are over when it begins, ends it with the
    /// innermost one at the latest, and adds it.
    fileprivate mutating func hold(_ end: inout UInt64, from start: UInt64) {
        while let last, last <= start { removeLast() }
        if let last { end = Swift.min(end, last) }
        append(end)
    }
}
