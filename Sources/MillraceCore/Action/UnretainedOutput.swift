// SPDX-License-Identifier: Apache-2.0

/// A place from which an output is lent for a call, action after action, without retaining its target: only who copies
/// the output does that.
///
/// For one thread, which sees to it that the target lives while a call runs.
@usableFromInline
package struct UnretainedOutput<ActionType> {
    @usableFromInline let place: UnsafeMutablePointer<AnyActionHandler<ActionType>>

    @usableFromInline
    package init(to sink: ActionSink<ActionType>) {
        place = .allocate(capacity: 1)
        place.initialize(to: AnyActionHandler(sink: sink))
        // What lies there does not count as a reference; so it is never deinitialized either.
        Unmanaged.passUnretained(sink).release()
    }

    /// An output of this cause, until the next is asked for.
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
