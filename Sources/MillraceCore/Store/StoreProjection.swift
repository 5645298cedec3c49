// SPDX-License-Identifier: Apache-2.0

/// A view of a store, with the actions and the state of one client: see ``StoreType/projection(action:state:)``.
public typealias StoreProjection<ViewAction, ViewState> = AnyStoreType<ViewAction, ViewState>
