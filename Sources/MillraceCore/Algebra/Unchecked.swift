// SPDX-License-Identifier: Apache-2.0

/// Carries a value into a `@Sendable` closure when the compiler cannot see that this is safe.
@usableFromInline
struct Unchecked<Value>: @unchecked Sendable {
    // Unchecked: each use says why the value may be shared.
    @usableFromInline let value: Value

    @inlinable
    init(_ value: Value) {
        self.value = value
    }
}
