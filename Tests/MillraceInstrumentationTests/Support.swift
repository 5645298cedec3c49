// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Histogram
import Millrace
import MillraceInstrumentation
import TestSupport

/// The actions of the tests.
enum Job: Sendable, Equatable {
    case small
    case large(Int)
    case text(String)
    case stop
}

/// Every engine measures alike.
var engines: [StoreEngine] {
    [.thread(name: "test"), .caller, .queue(DispatchQueue(label: "serial")), .main]
}

/// A middleware made of a closure.
struct Handle<Action>: MiddlewareProtocol {
    let body: @Sendable (Action) -> IO<Action>

    init(_ body: @escaping @Sendable (Action) -> IO<Action> = { _ in .pure() }) {
        self.body = body
    }

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Action> {
        body(action)
    }
}

/// Counts actions.
func counting<Action>(_: Action.Type = Action.self) -> Reducer<Action, Int> {
    Reducer.reduce { _, state in state += 1 }
}

/// A store of two named middlewares.
func jobStore(_ engine: StoreEngine, publication: Publication = .onDemand) -> ReduxStoreBase<Job, Int> {
    ReduxStoreBase(
        initialState: 0,
        reducer: counting(Job.self),
        middleware: Handle<Job>().named("first") <> Handle<Job>().named("second"),
        engine: engine,
        publication: publication
    )
}

/// Keeps the processor for so long.
func work(for duration: Duration) {
    let start = Ticks.now
    while Duration.nanoseconds(Int64(start.nanoseconds(until: .now))) < duration {}
}

extension InstrumentationSnapshot {
    /// The stage of a name; an empty one if it did not occur.
    func stage(_ name: String) -> LatencyDistribution {
        stages.first { $0.name == name }?.latency ?? LatencyDistribution(digits: .three)
    }

    /// The kind of a name; an empty one if it did not occur.
    func kind(_ name: String) -> KindSnapshot {
        kinds.first { $0.name == name }
            ?? KindSnapshot(
                name: name,
                count: 0,
                wait: LatencyDistribution(digits: .two),
                work: LatencyDistribution(digits: .two),
                total: LatencyDistribution(digits: .two),
                nanosecondsByStage: stages.map { _ in 0 }
            )
    }
}
