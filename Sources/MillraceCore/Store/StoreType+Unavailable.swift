// SPDX-License-Identifier: Apache-2.0

// Declarations that never compile, with messages that say what to write: see Middleware+Unavailable.swift.

extension StoreType {
    /// An erased store and a projection have no urgent actions: it does not compile, and the message says who has.
    @available(
        *,
        unavailable,
        message: "an erased store or a projection dispatches nothing urgent: keep the store, or AnyActionHandler(store)"
    )
    @_disfavoredOverload
    public func dispatch(urgent action: ActionType) {}
}
