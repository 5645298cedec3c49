// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRuntime

/// Encodes trace events as JSON text in the format of Chrome's trace viewer, which Perfetto reads, too.
///
/// Actions and stages are complete events (`X`), each on the track of its thread. Effects overlap, so they are
/// asynchronous events (`b`, `e`) with tracks of their own. Arrows (`s`, `f`) lead from an action to those it caused.
///
/// Both ends of an arrow are written together, when the caused action is written. So an arrow never has only one end.
/// The causing action must be in the same part of the file, and among the last 65,536 actions.
struct TraceEncoder {
    private let process: Int32
    /// The places of recent actions, by number: where arrows begin.
    private var places: [UInt64: Place] = [:]
    /// The numbers of recent actions. When the array is full, the oldest is at `oldest`.
    private var recent: [UInt64] = []
    private var oldest = 0
    /// The threads whose name was written in this part.
    private var threads: Set<Int32> = []
    /// The last id given to an arrow or effect.
    private var serial: UInt64 = 0
    /// The names of the last batch, as JSON text.
    private var names = Names()

    /// An event with its times in nanoseconds from the origin.
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

    /// Returns the event that names the process.
    func processName(_ label: String) -> String {
        metadata("process_name", thread: 0, name: label)
    }

    /// Returns a mark across all threads of the process.
    func mark(_ text: String, at time: UInt64) -> String {
        """
        {"ph":"i","s":"p","cat":"stall","name":"stall","pid":\(process),"tid":0,"ts":\(microseconds(time)),\
        "args":{"what":\(Escaping.json(text))}}
        """
    }

    /// Begins a new part, which refers to nothing that was written before.
    mutating func beginPart() {
        places.removeAll(keepingCapacity: true)
        recent.removeAll(keepingCapacity: true)
        oldest = 0
        threads.removeAll(keepingCapacity: true)
    }

    /// Returns the events of a batch in the order in which they must be written: an enclosing event comes before the
    /// events in it, and a causing action before the caused one.
    ///
    /// The slices of a thread are nested, because a viewer drops a slice that begins within another one and ends after
    /// it. Both ends are converted from ticks in the same way, which keeps the nesting. If the clock of one processor
    /// is behind that of another, the inner slice is cut to end with the outer one.
    mutating func slices(of batch: TraceBatch) -> [Slice] {
        Self.extend(&names.stages, batch.stages)
        Self.extend(&names.kinds, batch.kinds)
        Self.extend(&names.effects, batch.effects)
        var slices = batch.events.map { Slice(event: $0, start: batch.start(of: $0), end: batch.end(of: $0)) }
        // Of two slices with the same times, the one that was recorded later encloses the other.
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

    /// Returns one or more JSON objects that must be written together.
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

    /// Notes that a slice was written, so that arrows can begin at it.
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
        // The clocks of two threads agree only to some tens of nanoseconds; an arrow must not point back in time.
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

    /// Converts exactly: the format uses microseconds, so nanoseconds are three decimal places.
    private func microseconds(_ nanoseconds: UInt64) -> String { Decimal.scaled(nanoseconds, 3) }

    private static func name(_ index: UInt16, _ names: [String]) -> String {
        names.indices.contains(Int(index)) ? names[Int(index)] : "\"?\""
    }

    private static func extend(_ names: inout [String], _ all: [String]) {
        if all.count > names.count { names += all[names.count...].map(Escaping.json) }
    }
}

extension [UInt64] {
    /// Adds the end of the next slice to the ends of the slices that enclose it. First removes those that have ended
    /// when the slice begins. Limits `end` to the end of the innermost enclosing slice.
    fileprivate mutating func hold(_ end: inout UInt64, from start: UInt64) {
        while let last, last <= start { removeLast() }
        if let last { end = Swift.min(end, last) }
        append(end)
    }
}
