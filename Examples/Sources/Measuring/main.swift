// SPDX-License-Identifier: Apache-2.0

// The code of the article "Measuring a store", block by block.
import Millrace
import MillraceInstrumentation

enum ShopAction: Sendable {
    case open(Int), find(String)
}

struct Audit: MiddlewareProtocol {
    func handle(action: ShopAction, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<ShopAction> {
        .pure()
    }
}

struct Search: MiddlewareProtocol {
    func handle(action: ShopAction, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<ShopAction> {
        guard case .find = action else { return .pure() }
        return IO { $0.dispatch(.open(0)) }
    }
}

let counting = Reducer<ShopAction, Int>.reduce { _, count in count += 1 }

let middleware = Audit().named("audit") <> Search().named("search")
let store = ReduxStoreBase(initialState: 0, reducer: counting, middleware: middleware)
let instrumentation = Instrumentation(store)
for number in 1...1000 { store.dispatch(number % 10 == 0 ? .find("anvil") : .open(number)) }

let snapshot = await instrumentation.snapshot()
for stage in snapshot.stages {
    let histogram = stage.latency.histogram
    print(stage.name, histogram.median, histogram.valueAtPercentile(99), stage.latency.maximum, "ns")
}

for kind in snapshot.kinds {
    print(kind.name, kind.count, "waited", kind.wait.nanoseconds, "worked", kind.work.nanoseconds)
}

instrumentation.turnOn(oneIn: 16)  // a sample: some nanoseconds an action
instrumentation.turnOff()  // nothing at all
instrumentation.turnOn()

let start = Ticks.now
store.dispatch(DispatchedAction(.find("bellows")), intendedAt: start)

let flight = try FlightRecorder(path: "flight.ring", capacity: 4096)
let recorded = Instrumentation(store, oneIn: 1024, flight: flight)
store.dispatch(.open(7))
await store.drain()
for line in try Breadcrumbs(path: "flight.ring").lines { print(line) }

let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100), limits: ["search": .seconds(1)]) { slow in
    print(slow)  // middleware "search", handling action 'find' (number 7) from …
}
