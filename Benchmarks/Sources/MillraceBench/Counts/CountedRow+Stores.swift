// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace

extension CountedRow {
    private typealias Store = ReduxStoreBase<AppAction, AppState>

    /// Rows of stores: dispatches, the pipeline, capacities, reads, publications, subscribers.
    static var stores: [CountedRow] {
        [
            CountedRow("caller: dispatch, on demand") { dispatching(plain()) },
            CountedRow("caller: dispatch, published when read") {
                dispatching(plain(publication: .atMost(every: .zero)))
            },
            // The number of old states that can be reused depends on a thread of liburcu.
            CountedRow("caller: dispatch and read", tolerance: 0.1, moreSystemCalls: 1) {
                let store = plain(publication: .atMost(every: .zero))
                return Run { operations in
                    var sum = 0
                    for index in 0..<operations {
                        store.dispatch(.nth(index))
                        sum &+= store.withState { $0.count }
                    }
                    keep(sum)
                }
            },
            CountedRow("caller: dispatch to the erased store") { dispatching(erased: plain().eraseToAnyStoreType()) },
            CountedRow("caller: dispatch to the fifth projection") {
                var view = plain().projection(action: { (action: AppAction) in action }, state: \.count)
                for _ in 2...5 { view = view.projection(action: { (action: AppAction) in action }, state: { $0 }) }
                return dispatching(erased: view)
            },
            CountedRow("loop: batches of 256") { batches(plain()) },
            CountedRow("loop: every other action is answered with an action") { batches(store(AnsweringMiddleware())) },
            CountedRow("producers: a dispatch to a thread that is busy") { producing(.thread()) },
            CountedRow("engines: a dispatch to a queue that is busy") {
                producing(.queue(DispatchQueue(label: "counts")))
            },
            CountedRow("bounds: a bounded store with room") { batches(plain(capacity: .bounded(1_000_000))) },
            CountedRow("bounds: a dispatch to a thread that is busy") {
                producing(.thread(), .bounded(1_000_000))
            },
            CountedRow("bounds: offer") {
                let store = plain(capacity: .bounded(1_000_000))
                return Run { operations in
                    for index in 0..<operations { _ = store.offer(.nth(index)) }
                }
            },
            CountedRow("reads: withState") {
                let store = plain()
                return Run { operations in
                    var sum = 0
                    for _ in 0..<operations { sum &+= store.withState { $0.count } }
                    keep(sum)
                }
            },
            CountedRow("reads: withState, published when read") {
                let store = plain(publication: .atMost(every: .zero))
                store.dispatch(.nth(0))
                return Run { operations in
                    var sum = 0
                    for _ in 0..<operations { sum &+= store.withState { $0.count } }
                    keep(sum)
                }
            },
            CountedRow("publication: every action", tolerance: 0.2, moreSystemCalls: 1) {
                dispatching(plain(publication: .everyAction))
            },
            CountedRow("subject: a value for one subscriber", tolerance: 0.1) {
                let subject = UnfailableReplayLastSubjectType.native(initialValue: AppState())
                let observer = StateObserver()
                let subscription = subject.publisher.subscribe(
                    UnfailableSubscriberType(onValue: { observer.take($0) })
                )
                return Run(
                    body: { operations in
                        let state = AppState()
                        for _ in 0..<operations { subject.subscriber.onValue(state) }
                    },
                    after: { withExtendedLifetime(subscription) {} }
                )
            },
        ]
    }

    static func plain(
        publication: Publication = .onDemand,
        capacity: StoreCapacity = .unbounded
    ) -> ReduxStoreBase<AppAction, AppState> {
        store(FirstMiddleware() <> SecondMiddleware() <> ThirdMiddleware(), publication, capacity)
    }

    static func store<M: MiddlewareProtocol>(
        _ middleware: sending M,
        _ publication: Publication = .onDemand,
        _ capacity: StoreCapacity = .unbounded
    ) -> ReduxStoreBase<AppAction, AppState>
    where M.InputActionType == AppAction, M.OutputActionType == AppAction, M.StateType == AppState {
        ReduxStoreBase(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: middleware,
            engine: .caller,
            publication: publication,
            capacity: capacity
        )
    }

    static func dispatching<State>(_ store: ReduxStoreBase<AppAction, State>) -> Run {
        Run { operations in
            for index in 0..<operations { store.dispatch(.nth(index)) }
        }
    }

    private static func dispatching<State>(erased store: AnyStoreType<AppAction, State>) -> Run {
        Run { operations in
            for index in 0..<operations { store.dispatch(.nth(index)) }
        }
    }

    static func batches(_ store: ReduxStoreBase<AppAction, AppState>) -> Run {
        let batch = (0..<256).map(AppAction.nth)
        return Run { operations in
            for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
        }
    }

    /// Counts only the producer: the pipeline is stopped in its first action meanwhile, and handles the rest
    /// afterwards.
    private static func producing(_ engine: StoreEngine, _ capacity: StoreCapacity = .unbounded) -> Run {
        let hold = HoldingMiddleware()
        let store = Store(
            initialState: AppState(),
            reducer: AppState.reducer,
            middleware: hold,
            engine: engine,
            publication: .onDemand,
            capacity: capacity
        )
        return Run(
            before: {
                store.dispatch(HoldingMiddleware.hold)
                hold.isHeld.wait()
            },
            body: { operations in
                for index in 0..<operations { store.dispatch(.nth(index)) }
            },
            after: {
                hold.isOpen.signal()
                // A read on demand waits for all actions that were dispatched before.
                keep(store.state.count)
            }
        )
    }
}

/// A middleware that stops the pipeline in one action.
private struct HoldingMiddleware: MiddlewareProtocol {
    static let hold = AppAction.tick(.min)
    let isHeld = DispatchSemaphore(value: 0)
    let isOpen = DispatchSemaphore(value: 0)

    func handle(
        action: AppAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AppState>
    ) -> IO<AppAction> {
        if case .tick(.min) = action {
            isHeld.signal()
            isOpen.wait()
        }
        return .pure()
    }
}
