// SPDX-License-Identifier: Apache-2.0

/// Carries a value into a `@Sendable` closure if the compiler cannot see that this is safe.
@usableFromInline
package struct Unchecked<Value>: @unchecked Sendable {
    // Unchecked: each use explains why the value may be shared.
    @usableFromInline package let value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }
}

/// Converts a closure to a `@Sendable` one. The closure may capture only Sendable values, types, and the `inject`
/// closure of a reader, which any thread may call.
///
/// The compiler does not treat the type of a middleware as Sendable, because its conformance could be isolated to an
/// actor. The requirements of the protocol are not isolated.
@inlinable
func uncheckedSendable<Input, Output>(_ body: @escaping (Input) -> Output) -> @Sendable (Input) -> Output {
    let body = Unchecked(body)
    return { body.value($0) }
}
