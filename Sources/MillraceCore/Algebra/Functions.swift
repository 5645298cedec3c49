// SPDX-License-Identifier: Apache-2.0

/// Returns its argument: for an axis of a lift that stays as it is.
///
/// ```swift
/// middleware.lift(inputAction: identity, outputAction: AppAction.auth, state: \.auth)
/// ```
@inlinable
public func identity<Value>(_ value: Value) -> Value {
    value
}

/// Throws its argument away: for lifting something that needs no state.
///
/// ```swift
/// pureMiddleware.lift(inputAction: \.auth, outputAction: AppAction.auth, state: ignore)
/// ```
@inlinable
public func ignore<Value>(_ value: Value) {}

/// Turns a value that cannot exist into anything: for lifting something that never dispatches.
///
/// ```swift
/// loggerMiddleware.lift(inputAction: identity, outputAction: absurd, state: identity)
/// ```
@inlinable
public func absurd<Value>(_ never: Never) -> Value {}
