// SPDX-License-Identifier: Apache-2.0

/// A closure that tests a value. It is called without a retain, because the structure cannot be copied. The closure is
/// a property of its own type: in a generic wrapper, each call would pass through a thunk.
@usableFromInline
struct GateTest<Value>: ~Copyable, Sendable {
    @usableFromInline let body: @Sendable (Value) -> Bool

    @inlinable
    init(_ body: @escaping @Sendable (Value) -> Bool) {
        self.body = body
    }

    @inlinable @inline(__always)
    borrowing func callAsFunction(_ value: Value) -> Bool { body(value) }
}

/// The same for a value in memory.
@usableFromInline
struct PlaceGateTest<Value>: ~Copyable, Sendable {
    @usableFromInline let body: @Sendable (UnsafePointer<Value>) -> Bool

    @inlinable
    init(_ body: @escaping @Sendable (UnsafePointer<Value>) -> Bool) {
        self.body = body
    }

    @inlinable @inline(__always)
    borrowing func callAsFunction(_ place: UnsafePointer<Value>) -> Bool { body(place) }
}
