// SPDX-License-Identifier: Apache-2.0

public import Millrace

extension StoreType {
    /// Returns a view model of this store: see ``ObservableStore``.
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
    /// Returns a view model of this store, which starts with the current state: see ``ObservableStore``.
    @MainActor
    public final func asObservableStore() -> ObservableStore<ActionType, StateType> {
        ObservableStore(store: self)
    }
}
