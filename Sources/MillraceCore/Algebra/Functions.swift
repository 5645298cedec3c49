// SPDX-License-Identifier: Apache-2.0

/// Returns its argument; for an axis of a lift that does not change.
///
/// ```swift
/// middleware.lift(inputAction: identity, outputAction: AppAction.auth, state: \.auth)
/// ```
@inlinable
public func identity<Value>(_ value: Value) -> Value {
    value
}

/// Ignores its argument; for lifting a middleware that needs no state.
///
/// ```swift
/// pureMiddleware.lift(inputAction: \.auth, outputAction: AppAction.auth, state: ignore)
/// ```
@inlinable
public func ignore<Value>(_ value: Value) {}

/// Converts a value that cannot exist to any type; for lifting a middleware that never dispatches.
///
/// ```swift
/// loggerMiddleware.lift(inputAction: identity, outputAction: absurd, state: identity)
/// ```
@inlinable
public func absurd<Value>(_ never: Never) -> Value {}
