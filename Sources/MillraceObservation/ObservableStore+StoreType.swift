// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension ObservableStore: StoreType {
    /// Gives an action and its source to the store. Any thread; the other forms of `dispatch` end here.
    nonisolated public func dispatch(_ dispatchedAction: sending DispatchedAction<ViewAction>) {
        store.dispatch(dispatchedAction)
    }

    /// The states as the store tells them: on its thread, each of them.
    nonisolated public var statePublisher: UnfailablePublisherType<ViewState> { store.statePublisher }
}
