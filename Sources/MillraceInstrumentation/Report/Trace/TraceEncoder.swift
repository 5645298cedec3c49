// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

/// Makes texts of trace events in the format of Chrome's trace viewer, which Perfetto reads, too.
///
/// Complete events (`X`) for actions and stages, each on the track of its thread; effects overlap, so they are
/// asynchronous (`b`, `e`) and get tracks of their own; arrows (`s`, `f`) from an action to those it caused. The two
/// ends of an arrow are written together, when the caused action comes, so an arrow never has one end only; the causing
/// action has to be among the last 65,536.
struct TraceEncoder {
    private let process: Int32
    /// Where the actions of late are: what an arrow begins at.
    private var places: [UInt64: Place] = [:]
    /// Their numbers, oldest at `oldest` when it is full.
    private var recent: [UInt64] = []
    private var oldest = 0
    private var threads: Set<Int32> = []
    /// Identifies arrows and effects.
    private var serial: UInt64 = 0
    /// The names of the last batch as they stand in the file.
    private var names = Names()

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

    /// Gives each event to `emit`, as one or more JSON objects that belong together, those that began first first.
    mutating func encode(_ batch: TraceBatch, emit: (String) -> Void) {
        Self.extend(&names.stages, batch.stages)
        Self.extend(&names.kinds, batch.kinds)
        Self.extend(&names.effects, batch.effects)
        let events = batch.events.map { (event: $0, start: batch.start(of: $0)) }
        // What holds another event comes before it, and what caused one as well.
        let order = events.sorted {
            $0.start != $1.start
                ? $0.start < $1.start
                : $0.event.nanoseconds != $1.event.nanoseconds
                    ? $0.event.nanoseconds > $1.event.nanoseconds : $0.event.what.rawValue < $1.event.what.rawValue
        }
        for (event, start) in order {
            if event.what != .effect, threads.insert(event.thread).inserted {
                emit(metadata("thread_name", thread: event.thread, name: "thread \(event.thread)"))
            }
            switch event.what {
            case .action:
                let text = action(event, start)
                let arrow = arrow(to: event, start)
                emit(arrow.map { "\(text),\n\($0)" } ?? text)
                remember(event, start)
            case .stage: emit(stage(event, start))
            case .effect: emit(effect(event, start))
            }
        }
    }

    private func action(_ event: TraceEvent, _ start: UInt64) -> String {
        let root = event.root == 0 ? event.number : event.root
        return """
            {"ph":"X","cat":"action","name":\(kind(event)),\(slice(event, start)),\
            "args":{"number":\(event.number),"parent":\(event.parent),"root":\(root),\
            "queued_us":\(microseconds(event.nanosecondsQueued))}}
            """
    }

    private func stage(_ event: TraceEvent, _ start: UInt64) -> String {
        let name = Self.name(event.stage, names.stages)
        let args = event.number == 0 ? "{}" : "{\"number\":\(event.number),\"kind\":\(kind(event))}"
        return "{\"ph\":\"X\",\"cat\":\"stage\",\"name\":\(name),\(slice(event, start)),\"args\":\(args)}"
    }

    private mutating func effect(_ event: TraceEvent, _ start: UInt64) -> String {
        serial += 1
        let head = """
            "cat":"effect","name":\(Self.name(event.stage, names.effects)),"id":"e\(serial)",\
            "pid":\(process),"tid":\(event.thread)
            """
        let (end, _) = start.addingReportingOverflow(event.nanoseconds)
        return """
            {"ph":"b",\(head),"ts":\(microseconds(start)),"args":{"number":\(event.number)}},
            {"ph":"e",\(head),"ts":\(microseconds(max(start, end)))}
            """
    }

    private mutating func arrow(to event: TraceEvent, _ start: UInt64) -> String? {
        guard event.parent != 0, let from = places[event.parent] else { return nil }
        serial += 1
        let head = "\"cat\":\"cause\",\"name\":\"caused\",\"id\":\"c\(serial)\",\"pid\":\(process)"
        // Two threads' clocks agree to some tens of nanoseconds; an arrow must not point back.
        let begin = min(from.end, start)
        return """
            {"ph":"s",\(head),"tid":\(from.thread),"ts":\(microseconds(begin))},
            {"ph":"f","bp":"e",\(head),"tid":\(event.thread),"ts":\(microseconds(start))}
            """
    }

    private mutating func remember(_ event: TraceEvent, _ start: UInt64) {
        let (end, _) = start.addingReportingOverflow(max(1, event.nanoseconds) - 1)
        places[event.number] = Place(thread: event.thread, end: max(start, end))
        if recent.count < Self.mostRecent {
            recent.append(event.number)
        } else {
            places[recent[oldest]] = nil
            recent[oldest] = event.number
            oldest = (oldest + 1) % Self.mostRecent
        }
    }

    private func slice(_ event: TraceEvent, _ start: UInt64) -> String {
        """
        "pid":\(process),"tid":\(event.thread),"ts":\(microseconds(start)),"dur":\(microseconds(event.nanoseconds))
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
