// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestSupport
import Testing

@testable import Millrace

@Suite("Actions from outputs", .timeLimit(.minutes(5)))
struct OutputTests {
    /// Calls a closure when it is released.
    private final class Token: Sendable {
        let onRelease: @Sendable () -> Void

        init(_ onRelease: @escaping @Sendable () -> Void) {
            self.onRelease = onRelease
        }

        deinit { onRelease() }
    }

    private enum Action: Sendable {
        case start, hold, with(Token), urgent

        var name: String {
            switch self {
            case .start: "start"
            case .hold: "hold"
            case .with: "with"
            case .urgent: "urgent"
            }
        }
    }

    private let log = Reducer<Action, [String]>.reduce { action, log in log.append(action.name) }

    @Test("an action is released once: handled, dropped or rejected", arguments: ActionOrder.allCases)
    func releases(order: ActionOrder) async {
        let (made, released) = (Shared(0), Shared(0))
        let token: @Sendable () -> Action = {
            made.update { $0 += 1 }
            return .with(Token { released.update { $0 += 1 } })
        }
        let kept = Shared<AnyActionHandler<Action>?>(nil)
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let store = ReduxStoreBase(
            initialState: [String](),
            reducer: log,
            middleware: Handle<Action, [String]> { action, _, _ in
                switch action {
                case .start:
                    return IO { output in
                        kept.value = output
                        for _ in 0..<3 { output.dispatch(token()) }
                    }
                case .hold:
                    entered.value = true
                    gate.wait()
                case .with, .urgent: break
                }
                return .pure()
            },
            engine: .thread(),
            capacity: .bounded(4, overflow: .dropNewest),
            order: order
        )
        store.dispatch(.start)
        #expect(await eventually { store.metrics.reduced == 4 && released.value == 3 })
        // From another thread, into a store that is full.
        store.dispatch(.hold)
        #expect(await eventually { entered.value })
        let output = kept.value
        kept.value = nil
        for _ in 0..<10 { output?.dispatch(token()) }
        #expect(made.value == 13)
        #expect(store.metrics.dropped > 0)
        gate.signal()
        await store.drain()
        #expect(released.value == 13)
        _ = await store.shutdown()
        output?.dispatch(token())
        #expect(store.metrics.rejected == 1)
        #expect((made.value, released.value) == (14, 14))
    }

    @Test("an urgent action that the release of an internal action dispatches comes before the next internal action")
    func urgentAtRelease() async {
        let holder = Shared<ReduxStoreBase<Action, [String]>?>(nil)
        let store = ReduxStoreBase(
            initialState: [String](),
            reducer: log,
            middleware: Handle<Action, [String]> { action, _, _ in
                guard case .start = action else { return .pure() }
                return IO { output in
                    output.dispatch(.with(Token { holder.value?.dispatch(urgent: .urgent) }))
                    output.dispatch(.hold)
                }
            },
            engine: .caller,
            order: .internalFirst
        )
        holder.value = store
        store.dispatch(.start)
        #expect(store.state == ["start", "with", "urgent", "hold"])
        holder.value = nil
        store.close()
    }

    @Test("a handler that was made from a store dispatches urgent actions, and tells of a closed store")
    func erasedStore() async {
        let (gate, entered) = (DispatchSemaphore(value: 0), Shared(false))
        let hold = Handle<Action, [String]> { action, _, _ in
            if case .hold = action {
                entered.value = true
                gate.wait()
            }
            return .pure()
        }
        let store = ReduxStoreBase(initialState: [String](), reducer: log, middleware: hold)
        store.dispatch(.hold)
        #expect(await eventually { entered.value })
        let erased = [AnyActionHandler(store), store.eraseToAnyActionHandler()]
        for handler in erased {
            handler.dispatch(.start)
            #expect(handler.dispatch(urgent: .urgent) == .accepted)
        }
        gate.signal()
        await store.drain()
        #expect(store.state == ["hold", "urgent", "urgent", "start", "start"])
        #expect(store.metrics.urgentActions == 2)
        store.close()
        #expect(erased[0].dispatch(urgent: .urgent) == .closed)
    }

    @Test("so does one that was made from a sharded store, or from a pipeline without a store")
    func erasedOthers() async {
        let sharded = ShardedStore(
            shards: 2,
            by: { (action: Int) in action },
            initialState: { _ in 0 },
            reducer: counting(Int.self),
            middleware: { _ in IdentityMiddleware<Int, Int, Int>() }
        )
        let handler = AnyActionHandler(sharded)
        for action in 0..<10 { #expect(handler.dispatch(urgent: action) == .accepted) }
        handler.dispatch(10)
        await sharded.drain()
        #expect(sharded.states.reduce(0, +) == 11)
        #expect(sharded.metrics.urgentActions == 10)
        _ = await sharded.shutdown()
        #expect(handler.dispatch(urgent: 0) == .closed)

        let subject = UnfailableReplayLastSubjectType<Int>.native(initialValue: 0)
        let wrapper = ReduxPipelineWrapper(
            state: { subject },
            reducer: counting(Int.self),
            middleware: IdentityMiddleware<Int, Int, Int>()
        )
        #expect(AnyActionHandler(wrapper).dispatch(urgent: 1) == .accepted)
        #expect(await eventually { wrapper.core.metrics.urgentActions == 1 && wrapper.core.metrics.pending == 0 })
    }
}
