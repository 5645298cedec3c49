// SPDX-License-Identifier: Apache-2.0

/// Carries a value into a `@Sendable` closure when the compiler cannot see that this is safe.
@usableFromInline
package struct Unchecked<Value>: @unchecked Sendable {
    // Unchecked: each use says why the value may be shared.
    @usableFromInline package let value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}

/// For a closure that captures only what is Sendable, types, and the `inject` of a reader, which any thread may call.
///
/// The compiler does not take the type of a middleware for Sendable, as its conformance could be isolated to an actor;
/// what the protocol requires is not.
@inlinable
func uncheckedSendable<Input, Output>(_ body: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let body = Unchecked(body)
    return { body.value($0) }
}
