// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension ObservableStore: StoreType {
    /// Dispatches an action with its source to the store. Any thread; the other forms of `dispatch` call this one.
    @_disfavoredOverload
    nonisolated public func dispatch(_ dispatchedAction: sending DispatchedAction<ViewAction>) {
        store.dispatch(dispatchedAction)
    }

    /// The store's own publisher: subscribers are called on the store's thread, with every state it publishes.
    nonisolated public var statePublisher: UnfailablePublisherType<ViewState> { store.statePublisher }
}
