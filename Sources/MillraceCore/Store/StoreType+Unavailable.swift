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

/// The middleware of older versions of SwiftRex: it does not compile, and the message says what to write.
@available(*, unavailable, message: "conform to MiddlewareProtocol: see 'Moving an app over from SwiftRex'")
public protocol Middleware {}

/// What the middleware of older versions of SwiftRex sets: it does not compile, and the message says what to write.
@available(
    *,
    unavailable,
    message: "return an IO from handle(action:from:state:): see 'Moving an app over from SwiftRex'"
)
public enum AfterReducer {}
