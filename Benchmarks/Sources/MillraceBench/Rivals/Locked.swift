// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A value behind a lock.
protocol Locked<Value>: Sendable {
    associatedtype Value
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result
}

/// A state behind a Mutex, which holds it in itself.
final class MutexState: Locked {
    private let state = Mutex(AppState())
    // Keeps the next object off this one's cache lines.
    private let padding: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0, 0, 0, 0)

    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout AppState) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
