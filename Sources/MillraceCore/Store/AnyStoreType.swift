// SPDX-License-Identifier: Apache-2.0

/// A ``StoreType`` with its type hidden; every projection is one.
///
/// It keeps the store alive and stores no state. Erasing one that is erased already returns it.
public struct AnyStoreType<ActionType, StateType>: StoreType, Sendable {
    @usableFromInline let handler: AnyActionHandler<ActionType>
    /// The states, as the store behind it tells them. Keeping this alone does not keep the store alive.
    public let statePublisher: UnfailablePublisherType<StateType>

    @inlinable
    init(handler: AnyActionHandler<ActionType>, statePublisher: UnfailablePublisherType<StateType>) {
        self.handler = handler
        self.statePublisher = statePublisher
    }

    /// Hides the type of a store.
    @inlinable
    public init<Store: StoreType>(_ store: Store) where Store.ActionType == ActionType, Store.StateType == StateType {
        self.init(handler: store.eraseToAnyActionHandler(), statePublisher: store.statePublisher)
    }

    /// A store made of a closure that takes actions, called on the thread that dispatches, and a publisher.
    @preconcurrency
    @inlinable
    public init(
        action: @escaping @Sendable (DispatchedAction<ActionType>) -> Void,
        state: UnfailablePublisherType<StateType>
    ) {
        self.init(handler: AnyActionHandler(action), statePublisher: state)
    }

    /// Gives an action and its source to the store.
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        handler.dispatch(dispatchedAction)
    }

    /// The handler of its actions.
    @inlinable
    public func eraseToAnyActionHandler() -> AnyActionHandler<ActionType> {
        handler
    }
}
