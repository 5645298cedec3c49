// SPDX-License-Identifier: Apache-2.0

/// A receiver of actions and a source of a state: the interface of a store for a view or another client.
///
/// ```swift
/// struct Counter {
///     let store: any StoreType<CounterAction, Int>
/// }
/// Counter(store: appStore.projection(action: AppAction.counter, state: { $0.count }))
/// ```
public protocol StoreType<ActionType, StateType>: StateProvider, ActionHandler {}

extension StoreType {
    /// Returns a store for another action type, which transforms each action and keeps its source.
    @preconcurrency
    @inlinable
    public func contramapAction<NewActionType>(
        _ transform: @escaping @Sendable (NewActionType) -> ActionType
    ) -> AnyStoreType<NewActionType, StateType> {
        AnyStoreType(take: { [take] in take(transform($0), $1) }, statePublisher: statePublisher)
    }

    /// Returns a store whose state is made from the state of this store: see ``StateProvider/map(_:)``.
    @preconcurrency
    @inlinable
    public func mapState<NewStateType>(
        _ transform: @escaping @Sendable (StateType) -> NewStateType
    ) -> AnyStoreType<ActionType, NewStateType> {
        AnyStoreType(take: take, statePublisher: statePublisher.map(transform))
    }

    /// Returns a view of this store with another action type and another state type.
    ///
    /// ```swift
    /// let counter = store.projection(
    ///     action: { (event: CounterEvent) in event == .tapped ? AppAction.counter(.increment) : nil },
    ///     state: { $0.count.description }
    /// )
    /// counter.dispatch(.tapped)
    /// ```
    ///
    /// The projection stores no state, and keeps the store alive. Projections can be projected again.
    ///
    /// **State.** `globalStateToViewState` runs once per state and subscriber, on the thread on which the store calls
    /// its subscribers. Duplicates are not removed: a subscriber receives a value for every state of the store, even if
    /// its part did not change.
    ///
    /// **Cost.** Two closure calls per level, for each action and each state; no allocation.
    ///
    /// - Parameters:
    ///   - viewActionToGlobalAction: The conversion of an action, called on the dispatching thread. If it returns nil,
    ///     the store does not receive the action. The source is kept.
    ///   - globalStateToViewState: The conversion of a state for the subscribers of the projection.
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

    /// Returns this store type-erased.
    @inlinable
    public func eraseToAnyStoreType() -> AnyStoreType<ActionType, StateType> {
        AnyStoreType(self)
    }
}
