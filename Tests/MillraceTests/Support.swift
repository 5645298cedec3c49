// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SchedulerTestSupport
import Synchronization
import Testing

@testable import Millrace

/// Each test has queues of its own: one that is stuck holds up no other. A thread that spins without end takes a
/// processor from the other tests: so here it spins for two milliseconds.
var engines: [StoreEngine] {
    [
        .thread(name: "test"), .thread(wait: .park), .thread(wait: .spinThenPark(for: .milliseconds(2))), .caller,
        .queue(DispatchQueue(label: "serial")), .queue(DispatchQueue(label: "concurrent", attributes: .concurrent)),
        .main, schedulerEngine(),
    ]
}

/// Every guarantee holds on every engine, also on a thread that never sleeps.
var enginesAndSpinning: [StoreEngine] { engines + [.thread(latency: .lowLatency)] }

extension ReduxStoreBase {
    /// Threads and tasks that stand in line for room.
    var waiters: Int { core.admission?.waiters.count ?? 0 }
}

extension ShutdownReport {
    /// Whether the pipeline was finished in time. The end itself may be late: it waits for the read sections of the whole
    /// process, and tests that run at the same time have long ones.
    var isCompleteButForReaders: Bool { isComplete || (!readers.isEmpty && pending == 0) }
}

/// Runs a body as the consumer of a core that no engine runs.
func withinFrame<Action, State, Result: ~Copyable>(of core: StoreCore<Action, State>, _ body: () -> Result) -> Result {
    core.consumer.asConsumer(body)
}

/// How often threads of this name have gone to sleep; nil if there is none.
func voluntarySwitches(ofThreadNamed name: String) -> Int? {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    for task in tasks {
        let path = "/proc/self/task/\(task)"
        guard ReadingThread.name(of: Int32(task) ?? 0) == name,
            let status = try? String(contentsOfFile: "\(path)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches:") })
        else { continue }
        return Int(line.split(separator: "\t").last ?? "")
    }
    return nil
}

/// A middleware made of a closure.
struct Handle<Action, State>: MiddlewareProtocol {
    let body: @Sendable (Action, ActionSource, @escaping GetState<State>) -> IO<Action>

    init(_ body: @escaping @Sendable (Action, ActionSource, @escaping GetState<State>) -> IO<Action>) {
        self.body = body
    }

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
        body(action, dispatcher, state)
    }
}

/// Counts actions.
func counting<Action>(_: Action.Type = Action.self) -> Reducer<Action, Int> {
    .reduce { _, count in count += 1 }
}
