// SPDX-License-Identifier: Apache-2.0

/// A value behind a lock, for code that is not on the path of an action.
///
/// No foreign code may run while the lock is held: no destructor of a state, no continuation, no handler. Locks are
/// never nested.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked because the value is touched only while the lock is held.
    @usableFromInline let lock = Lock()
    // Not checked for exclusive access: the lock excludes other threads, and it stops the program if its own thread
    // locks it again.
    @usableFromInline @exclusivity(unchecked) var value: Value

    @inlinable
    package init(_ value: Value) {
        // A value without a size has the address of the memory behind this object. ThreadSanitizer would take an access
        // to the one for an access to the other, and report a race.
        precondition(MemoryLayout<Value>.size > 0, "a lock without a value: use Lock")
        self.value = value
    }

    @inlinable
    package func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
