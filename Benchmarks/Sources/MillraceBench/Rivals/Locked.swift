// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value that a lock guards.
protocol Locked<Value>: Sendable {
    associatedtype Value
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result
}

/// A state that a Mutex guards and stores inline.
final class MutexState: Locked {
    private let state = Mutex(AppState())
    // Keeps the next object out of the cache lines of this one.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout AppState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
