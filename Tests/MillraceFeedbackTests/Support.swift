// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import MillraceFeedback
import Synchronization

/// Counts, on any thread.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var count: Int { number.load(ordering: .acquiring) }

    func add() { number.add(1, ordering: .acquiringAndReleasing) }
}

/// A list of texts that any thread may add to.
final class Notes: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// The effects that a feedback has begun: each sends when the test says so.
final class Running<Event: Sendable>: Sendable {
    private let sinks = Mutex<[(name: String, sink: Effect<Void, Event>.Sink)]>([])
    let notes = Notes()

    /// An effect that notes its beginning and its cancelling, and ends when the test says so.
    func effect(_ name: String) -> Effect<Void, Event> {
        Effect { [self] _, sink in
            notes.add("begin \(name)")
            sink.onCancel { [notes] in notes.add("cancel \(name)") }
            sinks.withLock { $0.append((name, sink)) }
        }
    }

    /// Sends an event from the last effect of a name, even if it has been cancelled.
    func send(_ event: Event, from name: String) {
        sinks.withLock { $0.last { $0.name == name }?.sink }?.send(DispatchedAction(event))
    }

    func complete(_ name: String) {
        sinks.withLock { $0.last { $0.name == name }?.sink }?.complete()
    }
}
