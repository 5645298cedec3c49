// SPDX-License-Identifier: Apache-2.0

/// A value that the compiler cannot copy, and therefore does not retain for a call. A copyable value in an object or
/// behind a pointer is retained, because the call might change the memory.
///
/// Use it only for values that do not change during the call: constants, and values that only the pipeline may change.
@usableFromInline
package struct Borrowed<Value>: ~Copyable {
    // The only stored property, so it has the same address as the structure: see at(_:_:).
    @usableFromInline package let value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value. The captures of `body` may be retained. If this matters, call a function with a
    /// `borrowing` parameter of this type, which uses ``value``.
    @inlinable @inline(__always)
    package borrowing func read<Result>(_ body: (Value) -> Result) -> Result {
        body(value)
    }

    /// Calls `body` with the value at `pointer`.
    @inlinable @inline(__always)
    package static func at<Result>(_ pointer: UnsafePointer<Value>, _ body: (Value) -> Result) -> Result {
        at(pointer).pointee.read(body)
    }

    /// Returns a pointer to the same value as one that is not copied.
    @inlinable @inline(__always)
    package static func at(_ pointer: UnsafePointer<Value>) -> UnsafePointer<Borrowed> {
        UnsafeRawPointer(pointer).assumingMemoryBound(to: Borrowed.self)
    }
}

extension Borrowed: Sendable where Value: Sendable {}
