// SPDX-License-Identifier: Apache-2.0

/// Code that observes a ``SubstateStore``: what RxState calls a middleware.
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
/// Implement one of the two functions. ``SubstateStore/register(middlewares:)`` calls it once, on the calling
/// thread. An observer learns of an action after the reducers: it can neither change nor stop the action. To do
/// that, give the store a `MiddlewareProtocol`.
///
/// The store keeps its observers. If an observer also keeps the store, neither is ever released. A stream of the store
/// does not keep the store.
public protocol MiddlewareType: Sendable {
    /// Begins to observe a store. The default calls ``observe(currentStateLastAction:)``.
    func observe(store: SubstateStore)

    /// Begins to observe the pairs of state and last action of a store. This is the function of RxState before version
    /// 0.3. The default does nothing.
    func observe(currentStateLastAction: StoreStream<StateLastAction>)
}

extension MiddlewareType {
    /// Calls ``observe(currentStateLastAction:)`` with ``SubstateStore/stateLastAction``.
    public func observe(store: SubstateStore) {
        observe(currentStateLastAction: store.stateLastAction)
    }

    /// Does nothing.
    public func observe(currentStateLastAction: StoreStream<StateLastAction>) {}
}
