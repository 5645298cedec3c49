// SPDX-License-Identifier: Apache-2.0

import CLockRivals

/// A value that a word and a futex guard, as `os_unfair_lock` does on Apple's systems.
final class FutexLocked<Value>: Locked, @unchecked Sendable {
    // Unchecked because the lock guards the value. Both are in memory of their own, at fixed addresses.
    private let lock = UnsafeMutablePointer<futex_lock>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: Value) {
        futex_lock_initialize(lock)
        self.value.initialize(to: value)
    }

    deinit {
        lock.deallocate()
        value.deinitialize(count: 1)
        value.deallocate()
    }

    @inline(__always)
    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        futex_lock_take(lock)
        defer { futex_lock_release(lock) }
        return body(&value.pointee)
    }
}
