// SPDX-License-Identifier: Apache-2.0

/// An observer of a store of substates: RxState's middleware.
///
/// ```swift
/// struct LoggingMiddleware: MiddlewareType {
///     func observe(store: SubstateStore) {
///         store.stateLastAction.subscribe { pair in
///             print(pair.lastAction.map { "\($0)" } ?? "none yet", pair.currentState)
///         }
///     }
/// }
/// ```
///
/// Implement one of the two functions. The store calls it once, when the observer is registered, on the registering
/// thread. An observer cannot answer an action before the reducers, and cannot stop it: for that, give the store a
/// `MiddlewareProtocol`.
///
/// The store keeps its observers. If an observer also keeps the store, both are never released. Streams do not keep the
/// store.
public protocol MiddlewareType: Sendable {
    /// Begins to observe a store.
    func observe(store: SubstateStore)

    /// Begins to observe the pairs of a store. RxState had this function before version 0.3.
    func observe(currentStateLastAction: StoreStream<StateLastAction>)
}

extension MiddlewareType {
    /// Observes the pairs of the store.
    public func observe(store: SubstateStore) {
        observe(currentStateLastAction: store.stateLastAction)
    }

    /// Does nothing.
    public func observe(currentStateLastAction: StoreStream<StateLastAction>) {}
}
