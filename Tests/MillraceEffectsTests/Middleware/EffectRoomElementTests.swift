// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// Effects of a middleware that is lifted to elements, or to what is not always there, in a bounded store.
@Suite("EffectMiddleware under element lifts in a bounded store", .timeLimit(.minutes(5)))
struct EffectRoomElementTests {
    struct Item: Sendable, Identifiable {
        let id: Int
    }

    struct AppState: Sendable {
        var byKey = ["k": Item(id: 7)]
        var list: KeyedArray = [Item(id: 7)]
        var optional: Item? = Item(id: 7)
    }

    typealias Base = SimpleEffectMiddleware<Int, Item>
    typealias Erased = AnyMiddleware<Int, Int, AppState>

    enum Lift: CaseIterable, Sendable {
        case dictionary, byIndex, byID, optional, ownByID, ownByIDInOptional, named, composed, chained, erased, either
        case liftedBefore

        func lifted(_ base: Base) -> Erased {
            switch self {
            case .dictionary: toDictionary(base)
            case .byIndex:
                base.liftToCollection(
                    inputAction: { (action: Int) in ElementIndexAction(index: 0, action: action) },
                    outputAction: { (element: ElementIndexAction<Int, Int>) in element.action },
                    state: { (state: AppState) in state.list }
                ).eraseToAnyMiddleware()
            case .byID: toCollection(base.named("inner"))
            case .optional: toOptional(base)
            case .ownByID: ownByID(base).eraseToAnyMiddleware()
            case .ownByIDInOptional:
                ownByID(base).liftToOptional(state: { (state: AppState) in Optional(state) }).eraseToAnyMiddleware()
            case .named: toDictionary(base.named("inner"))
            case .composed:
                toOptional((base <> IdentityMiddleware() as ComposedMiddleware<Int, Int, Item>).eraseToAnyMiddleware())
            case .chained: toDictionary(base.named("inner") <> Silent())
            case .erased: toOptional(base.eraseToAnyMiddleware())
            case .either: toOptional(EitherMiddleware<Base, Silent>.first(base))
            case .liftedBefore:
                toDictionary(base.named("inner").lift(inputAction: { (action: Int) in Optional(action) }))
            }
        }

        private func ownByID(_ base: Base) -> SimpleEffectMiddleware<Int, AppState> {
            base.liftToCollection(
                inputAction: { (action: Int) in ElementIDAction(id: 7, action: action) },
                outputAction: { (element: ElementIDAction<Int, Int>) in element.action },
                stateCollection: { (state: AppState) in state.list }
            )
        }

        private func toDictionary<M: MiddlewareProtocol>(_ middleware: M) -> Erased
        where M.InputActionType == Int, M.OutputActionType == Int, M.StateType == Item {
            middleware.liftToDictionary(
                inputAction: { (action: Int) in ElementIDAction(id: "k", action: action) },
                outputAction: { (element: ElementIDAction<String, Int>) in element.action },
                state: { (state: AppState) in state.byKey }
            ).eraseToAnyMiddleware()
        }

        private func toCollection<M: MiddlewareProtocol>(_ middleware: M) -> Erased
        where M.InputActionType == Int, M.OutputActionType == Int, M.StateType == Item {
            middleware.liftToCollection(
                inputAction: { (action: Int) in ElementIDAction(id: 7, action: action) },
                outputAction: { (element: ElementIDAction<Int, Int>) in element.action },
                state: { (state: AppState) in state.list }
            ).eraseToAnyMiddleware()
        }

        private func toOptional<M: MiddlewareProtocol>(_ middleware: M) -> Erased
        where M.InputActionType == Int, M.OutputActionType == Int, M.StateType == Item {
            middleware.liftToOptional(state: { (state: AppState) in state.optional }).eraseToAnyMiddleware()
        }
    }

    /// A middleware that does nothing, and is no identity.
    struct Silent: MiddlewareProtocol, Sendable {
        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<Int> { .pure() }
    }

    @Test(
        "all values of a stream arrive in a full store, and no thread of the pool waits",
        arguments: Lift.allCases,
        OverflowPolicy.allCases
    )
    func values(lift: Lift, overflow: OverflowPolicy) async {
        let (reduced, isHeld, release) = (Recorder<Int>(), Shared(false), DispatchSemaphore(value: 0))
        let door = Door()
        // Of more streams than the pool has threads.
        let base = Base.onAction { action, _, _ in
            guard 1...20 ~= action else { return .doNothing }
            return .stream { _ in
                AsyncStream { continuation in
                    Task {
                        await door.wait()
                        for element in 0..<10 { continuation.yield(100 * action + element) }
                        continuation.finish()
                    }
                }
            }
        }
        let store = ReduxStoreBase(
            initialState: AppState(),
            reducer: Reducer<Int, AppState>.reduce { action, _ in
                reduced.record(action)
                if action == 0 {
                    isHeld.value = true
                    release.wait()
                }
            },
            middleware: lift.lifted(base),
            engine: .thread(name: "bounded"),
            capacity: .bounded(4, overflow: overflow)
        )
        for action in 1...20 { store.dispatch(control: action) }
        await store.drain()
        #expect(base.runningEffects == 20)
        store.dispatch(control: 0)
        #expect(await eventually { isHeld.value })
        while store.offer(50) == .accepted {}
        door.open()
        // Were threads of the pool to wait for room, none would be left for these: then this thread ends the wait.
        let isReleased = Shared(false)
        onNewThread {
            var tries = 0
            while !isReleased.value && tries < 20_000 {
                usleep(10_000)
                tries += 1
            }
            release.signal()
        }
        for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
        #expect(base.runningEffects == 20)
        #expect(store.metrics.reduced < 30, "the pipeline is still held")
        isReleased.value = true
        #expect(await eventually { base.runningEffects == 0 })
        await store.drain()
        let brought = reduced.all.filter { $0 >= 100 }.sorted()
        var sent: [Int] = []
        for action in 1...20 { sent += 100 * action..<100 * action + 10 }
        let isComplete = brought == sent
        #expect(isComplete, "\(brought.count) of \(sent.count) arrived")
        #expect(store.metrics.dropped == 0 || overflow != .block)
    }

    private final class Probe: EffectProbe {
        let log = Recorder<String>()

        func effectBegan(_ meter: EffectMeter) -> UInt64 {
            log.record("began \(meter.name?.description ?? "-")")
            return 0
        }

        func effectEnded(_ meter: EffectMeter, began: UInt64, isCancelled: Bool) {
            log.record("ended \(meter.name?.description ?? "-")")
        }
    }

    @Test("effects under a lift are measured, under the name of the innermost that has one", arguments: Lift.allCases)
    func measured(lift: Lift) {
        let base = Base.onAction { action, _, _ in action == 1 ? .just(2) : .doNothing }
        let store = ReduxStoreBase(
            initialState: AppState(),
            reducer: Reducer<Int, AppState>.identity,
            middleware: lift.lifted(base).named("outer"),
            engine: .caller
        )
        let probe = Probe()
        store.probed.effects.set(probe)
        store.dispatch(1)
        let name = [.named, .chained, .byID, .liftedBefore].contains(lift) ? "inner" : "outer"
        #expect(probe.log.all == ["began \(name)", "ended \(name)"])
    }
}
