// SPDX-License-Identifier: Apache-2.0

/// A value that the compiler cannot copy: given to a closure where it lies, it is not retained for the call, which the
/// compiler does with anything copyable that the closure, as far as it knows, might change meanwhile.
@usableFromInline
package struct Borrowed<Value>: ~Copyable {
    // The only stored property, so it lies where this does.
    @usableFromInline let value: Value

    /// Calls `body` with what lies at `pointer`, and which nobody changes meanwhile.
    @inlinable @inline(__always)
    package static func at<Result>(_ pointer: UnsafePointer<Value>, _ body: (Value) -> Result) -> Result {
        UnsafeRawPointer(pointer).assumingMemoryBound(to: Borrowed.self).pointee.read(body)
    }

    @inlinable @inline(__always)
    borrowing func read<Result>(_ body: (Value) -> Result) -> Result {
        body(value)
    }
}
