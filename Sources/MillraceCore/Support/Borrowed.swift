// SPDX-License-Identifier: Apache-2.0

/// A value that the compiler cannot copy, and so does not retain for a call: with what is copyable and lies in an object
/// or behind a pointer it does, as the call might change what lies there.
///
/// So this is for what is not changed during the call: constants, and what the pipeline alone may change.
@usableFromInline
package struct Borrowed<Value>: ~Copyable {
    // The only stored property, so it lies where this does: see at(_:_:).
    @usableFromInline package let value: Value

    @inlinable
    package init(_ value: Value) {
        self.value = value
    }

    /// Calls `body` with the value. What `body` captures may be retained; where that matters, pass a function that
    /// borrows this, and have it use ``value``.
    @inlinable @inline(__always)
    package borrowing func read<Result>(_ body: (Value) -> Result) -> Result {
        body(value)
    }

    /// Calls `body` with what lies at `pointer`.
    @inlinable @inline(__always)
    package static func at<Result>(_ pointer: UnsafePointer<Value>, _ body: (Value) -> Result) -> Result {
        at(pointer).pointee.read(body)
    }

    /// What lies at `pointer`, as one that is not copied.
    @inlinable @inline(__always)
    package static func at(_ pointer: UnsafePointer<Value>) -> UnsafePointer<Borrowed> {
        UnsafeRawPointer(pointer).assumingMemoryBound(to: Borrowed.self)
    }
}

extension Borrowed: Sendable where Value: Sendable {}
