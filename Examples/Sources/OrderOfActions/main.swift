// SPDX-License-Identifier: Apache-2.0

// The code of the article "The order of actions": a risk guard under load, a kill switch, and a producer that waits.
//
//     swift run --package-path Examples OrderOfActions

import Dispatch
import Millrace

enum RiskAction: Sendable {
    case pause
    case tick(symbol: Int)
    case breached(symbol: Int)
    case stopTrading
}

struct Risk: Sendable {
    var ticks = 0
    var breached: Set<Int> = []
    var reports = 0
    var ticksBeforeStop: Int?
}

let riskReducer = Reducer<RiskAction, Risk>.reduce { action, risk in
    switch action {
    case .pause: break
    case .tick: risk.ticks += 1
    case .breached(let symbol):
        risk.breached.insert(symbol)
        risk.reports += 1
    case .stopTrading: risk.ticksBeforeStop = risk.ticks
    }
}

struct RiskGuard: MiddlewareProtocol {
    /// The pipeline waits here, so that actions queue behind it.
    let gate: DispatchSemaphore

    func handle(action: RiskAction, from: ActionSource, state: @escaping GetState<Risk>) -> IO<RiskAction> {
        if case .pause = action { gate.wait() }
        guard case .tick(let symbol) = action, !state().breached.contains(symbol) else { return .pure() }
        return IO { output in output.dispatch(.breached(symbol: symbol)) }
    }
}

func reports(_ order: ActionOrder) async -> Int {
    let gate = DispatchSemaphore(value: 0)
    let store = ReduxStoreBase(
        initialState: Risk(),
        reducer: riskReducer,
        middleware: RiskGuard(gate: gate),
        order: order
    )
    store.dispatch(.pause)
    for number in 0..<10_000 { store.dispatch(.tick(symbol: number % 5)) }
    gate.signal()
    // Twice: with `.fifo` the first drain does not wait for what the ticks have caused.
    await store.drain()
    await store.drain()
    return store.state.reports
}

print("reports with .fifo:", await reports(.fifo))
print("reports with .internalFirst:", await reports(.internalFirst))
let guarded = await reports(.internalFirst)
precondition(guarded == 5, "one report for each of the five symbols")

// A kill switch: it is reduced next, not after the 5,000 ticks that wait.
let gate = DispatchSemaphore(value: 0)
let trading = ReduxStoreBase(initialState: Risk(), reducer: riskReducer, middleware: RiskGuard(gate: gate))
trading.dispatch(.pause)
for _ in 0..<5_000 { trading.dispatch(.tick(symbol: 1)) }
trading.dispatch(urgent: .stopTrading)
gate.signal()
await trading.drain()
print("ticks before the stop:", trading.state.ticksBeforeStop ?? -1)
precondition(trading.state.ticksBeforeStop == 0)

// A producer that must not lose an action, and must notice the end.
func read(_ symbols: some Sequence<Int>, into store: ReduxStoreBase<RiskAction, Risk>) {
    do {
        for symbol in symbols { try store.dispatchOrWait(.tick(symbol: symbol)) }
    } catch {
        print("stopped:", error)
    }
}

let small = ReduxStoreBase(
    initialState: Risk(),
    reducer: riskReducer,
    capacity: .bounded(100, overflow: .dropNewest)
)
let producer = DispatchQueue(label: "producer")
await withCheckedContinuation { done in
    producer.async {
        read(0..<10_000, into: small)
        done.resume()
    }
}
await small.drain()
print("dropped:", small.metrics.dropped, "reduced:", small.metrics.reduced)
precondition(small.metrics.dropped == 0 && small.metrics.reduced == 10_000)

// The number of an action, and the version of a state.
struct Audit: MiddlewareProtocol {
    private var position: (@Sendable () -> ActionPosition)?

    mutating func bind(_ binding: MiddlewareBinding<RiskAction, Risk>) {
        position = binding.position
    }

    func handle(
        action: RiskAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Risk>
    ) -> IO<RiskAction> {
        if let place = position?() { print("action \(place.number), caused by action \(place.cause.parent)") }
        return .pure()
    }
}

let audited = ReduxStoreBase(initialState: Risk(), reducer: riskReducer, middleware: Audit(), engine: .caller)
for symbol in 1...3 { audited.dispatch(.tick(symbol: symbol)) }
print("version:", audited.versionedState.version)
precondition(audited.versionedState.version == 3)
