// SPDX-License-Identifier: Apache-2.0

/// A type-erased ``StoreType``; every projection is one.
///
/// It keeps the store alive and stores no state. Erasing a store that is already type-erased returns it.
public struct AnyStoreType<ActionType, StateType>: StoreType, @unchecked Sendable {
    // Unchecked because of `take`, which any thread may call: a SwiftRex store need not be Sendable, but has to accept
    // calls from any thread. A `@Sendable` type would require a wrapper closure: one more call per action.
    // `take` has the action and the source as two parameters and is no `AnyActionHandler`, so nothing is retained.
    @usableFromInline let take: (ActionType, ActionSource) -> Void
    /// The publisher of the store's states. Holding only the publisher does not keep the store alive.
    public let statePublisher: UnfailablePublisherType<StateType>

    @inlinable
    init(
        take: @escaping (ActionType, ActionSource) -> Void,
        statePublisher: UnfailablePublisherType<StateType>
    ) {
        self.take = take
        self.statePublisher = statePublisher
    }

    /// Erases the type of a store.
    @inlinable
    public init<Store: StoreType>(_ store: Store) where Store.ActionType == ActionType, Store.StateType == StateType {
        self.init(take: store.take, statePublisher: store.statePublisher)
    }

    /// Creates a store from a publisher and a closure that receives the actions on the dispatching thread.
    @preconcurrency
    @inlinable
    public init(
        action: @escaping @Sendable (DispatchedAction<ActionType>) -> Void,
        state: UnfailablePublisherType<StateType>
    ) {
        self.init(take: { action(DispatchedAction($0, dispatcher: $1)) }, statePublisher: state)
    }

    /// Passes an action and its source to the store.
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        take(dispatchedAction.action, dispatchedAction.dispatcher)
    }

    /// The same for an action and a source that are not in one value.
    @inlinable
    public func dispatch(_ action: sending ActionType, from dispatcher: ActionSource) {
        take(action, dispatcher)
    }
}

extension StoreType {
    /// The store's `dispatch` as a closure, which holds the store.
    @inlinable
    var take: (ActionType, ActionSource) -> Void {
        if let erased = self as? AnyStoreType<ActionType, StateType> { return erased.take }
        return { action, source in
            // No other code has it: it comes from the parameter of another `dispatch`, or was made from that.
            nonisolated(unsafe) let action = action
            dispatch(action, from: source)
        }
    }
}
