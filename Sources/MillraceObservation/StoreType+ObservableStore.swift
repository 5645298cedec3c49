// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension StoreType {
    /// A view model of this store: see ``ObservableStore``.
    ///
    /// ```swift
    /// let model = store.projection(action: AppAction.counter, state: { $0.counter })
    ///     .asObservableStore(initialState: Counter())
    /// ```
    @MainActor
    public func asObservableStore(initialState: StateType) -> ObservableStore<ActionType, StateType> {
        ObservableStore(initialState: initialState, store: self)
    }
}

extension ReduxStoreBase where StateType: Sendable {
    /// A view model of this store, which starts with the state of now: see ``ObservableStore``.
    @MainActor
    public final func asObservableStore() -> ObservableStore<ActionType, StateType> {
        ObservableStore(store: self)
    }
}
