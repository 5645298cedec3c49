// SPDX-License-Identifier: Apache-2.0

/// A ``StoreType`` with its type hidden; every projection is one.
///
/// It keeps the store alive and stores no state. Erasing one that is erased already returns it.
public struct AnyStoreType<ActionType, StateType>: StoreType, Sendable {
    // A closure and no `AnyActionHandler`: a closure is specialised where it is written, the methods of a sink are not.
    @usableFromInline let action: @Sendable (DispatchedAction<ActionType>) -> Void
    /// The states, as the store behind it tells them. Keeping this alone does not keep the store alive.
    public let statePublisher: UnfailablePublisherType<StateType>

    /// Hides the type of a store.
    @inlinable
    public init<Store: StoreType>(_ store: Store) where Store.ActionType == ActionType, Store.StateType == StateType {
        self.init(action: store.action, state: store.statePublisher)
    }

    /// A store made of a closure that takes actions, called on the thread that dispatches, and a publisher.
    @preconcurrency
    @inlinable
    public init(
        action: @escaping @Sendable (DispatchedAction<ActionType>) -> Void,
        state: UnfailablePublisherType<StateType>
    ) {
        self.action = action
        statePublisher = state
    }

    /// Gives an action and its source to the store.
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        action(dispatchedAction)
    }
}

extension StoreType {
    /// Its dispatch as a closure, which keeps the store.
    @inlinable
    var action: @Sendable (DispatchedAction<ActionType>) -> Void {
        if let erased = self as? AnyStoreType<ActionType, StateType> { return erased.action }
        // SwiftRex's stores need not be Sendable: they are told that any thread may dispatch.
        let dispatch = Unchecked<(sending DispatchedAction<ActionType>) -> Void>(self.dispatch)
        return { dispatchedAction in
            // Nobody else has it: it comes from the parameter of another `dispatch`, or was made there.
            nonisolated(unsafe) let dispatchedAction = dispatchedAction
            dispatch.value(dispatchedAction)
        }
    }
}
