// SPDX-License-Identifier: Apache-2.0

/// A ``StoreType`` with its type hidden; every projection is one.
///
/// It keeps the store alive and stores no state. Erasing one that is erased already returns it.
public struct AnyStoreType<ActionType, StateType>: StoreType, @unchecked Sendable {
    // Unchecked because of `take`, which any thread may call: SwiftRex's stores need not be Sendable, and are told so. A
    // closure that says it itself would have to be wrapped in another one, a call more at each action.
    // Action and source apart, and no `AnyActionHandler`: so nothing is retained on the way.
    @usableFromInline let take: (ActionType, ActionSource) -> Void
    /// The states, as the store behind it tells them. Keeping this alone does not keep the store alive.
    public let statePublisher: UnfailablePublisherType<StateType>

    @inlinable
    init(
        take: @escaping (ActionType, ActionSource) -> Void,
        statePublisher: UnfailablePublisherType<StateType>
    ) {
        self.take = take
        self.statePublisher = statePublisher
    }

    /// Hides the type of a store.
    @inlinable
    public init<Store: StoreType>(_ store: Store) where Store.ActionType == ActionType, Store.StateType == StateType {
        self.init(take: store.take, statePublisher: store.statePublisher)
    }

    /// A store made of a closure that takes actions, called on the thread that dispatches, and a publisher.
    @preconcurrency
    @inlinable
    public init(
        action: @escaping @Sendable (DispatchedAction<ActionType>) -> Void,
        state: UnfailablePublisherType<StateType>
    ) {
        self.init(take: { action(DispatchedAction($0, dispatcher: $1)) }, statePublisher: state)
    }

    /// Gives an action and its source to the store.
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        take(dispatchedAction.action, dispatchedAction.dispatcher)
    }
}

extension StoreType {
    /// Its dispatch as a closure, which keeps the store.
    @inlinable
    var take: (ActionType, ActionSource) -> Void {
        if let erased = self as? AnyStoreType<ActionType, StateType> { return erased.take }
        return { action, source in
            // Nobody else has it: it comes from the parameter of another `dispatch`, or was made from that.
            nonisolated(unsafe) let dispatchedAction = DispatchedAction(action, dispatcher: source)
            dispatch(dispatchedAction)
        }
    }
}
