// SPDX-License-Identifier: Apache-2.0

/// A memory location that lends an output for one call after another, without retaining the output's target. Only code
/// that copies the output retains the target.
///
/// For one thread. This thread must keep the target alive during each call.
@usableFromInline
package struct UnretainedOutput<ActionType> {
    @usableFromInline let place: UnsafeMutablePointer<AnyActionHandler<ActionType>>

    @usableFromInline
    package init(to sink: ActionSink<ActionType>) {
        place = .allocate(capacity: 1)
        place.initialize(to: AnyActionHandler(sink: sink))
        // The reference stored there is not counted. Therefore it is never deinitialized either.
        Unmanaged.passUnretained(sink).release()
    }

    /// Returns an output with the given cause, which is valid until the next call.
    @inlinable @inline(__always)
    package func of(_ cause: ActionCause) -> UnsafePointer<Borrowed<AnyActionHandler<ActionType>>> {
        place.pointee.givenCause = cause
        return Borrowed.at(UnsafePointer(place))
    }

    @usableFromInline
    package func deallocate() {
        place.deallocate()
    }
}
