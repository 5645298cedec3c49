// SPDX-License-Identifier: Apache-2.0

/// Anything that takes actions and tells of a state: what a view or another client needs to know of a store.
///
/// ```swift
/// struct Counter {
///     let store: any StoreType<CounterAction, Int>
/// }
/// Counter(store: appStore.projection(action: AppAction.counter, state: { $0.count }))
/// ```
public protocol StoreType<ActionType, StateType>: StateProvider, ActionHandler {}

extension StoreType {
    /// A store of other actions, which turns each into one of these. The source is kept.
    @preconcurrency
    @inlinable
    public func contramapAction<NewActionType>(
        _ transform: @escaping @Sendable (NewActionType) -> ActionType
    ) -> AnyStoreType<NewActionType, StateType> {
        AnyStoreType(take: { [take] in take(transform($0), $1) }, statePublisher: statePublisher)
    }

    /// A store of another state, made from this one's: see ``StateProvider/map(_:)``.
    @preconcurrency
    @inlinable
    public func mapState<NewStateType>(
        _ transform: @escaping @Sendable (StateType) -> NewStateType
    ) -> AnyStoreType<ActionType, NewStateType> {
        AnyStoreType(take: take, statePublisher: statePublisher.map(transform))
    }

    /// A view of this store: other actions, another state.
    ///
    /// ```swift
    /// let counter = store.projection(
    ///     action: { (event: CounterEvent) in event == .tapped ? AppAction.counter(.increment) : nil },
    ///     state: { $0.count.description }
    /// )
    /// counter.dispatch(.tapped)
    /// ```
    ///
    /// It stores no state, and keeps the store alive. Projections can be projected again.
    ///
    /// **State.** `globalStateToViewState` runs once for each state and subscriber, where the store calls subscribers.
    /// Duplicates are not removed: a subscriber is told of every state of the store, also when its part is the same as
    /// before.
    ///
    /// **Cost.** Two calls of closures a level for each action and each state; no allocation.
    ///
    /// - Parameters:
    ///   - viewActionToGlobalAction: Runs on the thread that dispatches. Where it returns nil, the store never hears of
    ///     the action. The source is kept.
    ///   - globalStateToViewState: The state that subscribers of the projection are told.
    @preconcurrency
    @inlinable
    public func projection<ViewAction, ViewState>(
        action viewActionToGlobalAction: @escaping @Sendable (ViewAction) -> ActionType?,
        state globalStateToViewState: @escaping @Sendable (StateType) -> ViewState
    ) -> StoreProjection<ViewAction, ViewState> {
        StoreProjection(
            take: { [take] viewAction, source in
                if let globalAction = viewActionToGlobalAction(viewAction) { take(globalAction, source) }
            },
            statePublisher: statePublisher.map(globalStateToViewState)
        )
    }

    /// The same with its type hidden.
    @inlinable
    public func eraseToAnyStoreType() -> AnyStoreType<ActionType, StateType> {
        AnyStoreType(self)
    }
}
