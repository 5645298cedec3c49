// SPDX-License-Identifier: Apache-2.0

/// Where a bound middleware finds its state in `handle` and `afterReduce`: in place, or by the getter of the action.
///
/// Apart from the reader, so that a look at the address retains nothing.
@usableFromInline
package struct LivePlace<State>: @unchecked Sendable {
    // Unchecked: it is only an address; the invariant of StateSource says who reads the memory.
    @usableFromInline package let live: UnsafePointer<State>?
    /// Keeps the memory alive.
    @usableFromInline let reader: StateReader<State>

    @inlinable
    package init(_ reader: StateReader<State>) {
        live = reader.source.live
        self.reader = reader
    }

    /// Calls `body` with the state. Only in `handle` and `afterReduce`.
    ///
    /// - Parameter getter: The getter of the action.
    @inlinable @inline(__always)
    package func withState<Result>(orFrom getter: GetState<State>, _ body: (State) -> Result) -> Result {
        if let live { return Borrowed.at(live, body) }
        return body(getter())
    }
}
