// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// The latest version of a value: published by one owner, read by any thread without a lock.
///
/// ```swift
/// let cell = SnapshotCell(Configuration())
/// cell.publish(changed, version: 1)                  // the owner
/// let limit = cell.withLatest { value, _ in value.limit }     // anybody
/// ```
///
/// **Threads.** `withLatest` from any thread; `publish` and `latest` from one thread at a time, the owner.
///
/// **Cost.** Reading is two stores to a thread's own word and one load. Publishing copies the value, makes at most one
/// allocation of its own and hands the old version to liburcu, about half a microsecond.
public final class SnapshotCell<Value>: @unchecked Sendable {
    // Unchecked because the pointer is shared by design: millrace_snapshot.h says who may do what, and when.
    @usableFromInline let snapshot: UnsafeMutablePointer<millrace_snapshot>

    /// A cell that holds a first version. Nil when there is no memory, or the value's alignment is over 4096 bytes.
    @inlinable
    public init?(_ value: consuming Value, version: UInt64 = 0) {
        var made: UnsafeMutablePointer<millrace_snapshot>?
        let layout = MemoryLayout<Value>.self
        guard millrace_snapshot_create(layout.size, layout.alignment, &made) == MILLRACE_OK, let made else {
            return nil
        }
        snapshot = made
        guard publish(value, version: version) else { return nil }
    }

    deinit {
        let visitor = Unmanaged.passRetained(
            PayloadVisitor { $0.assumingMemoryBound(to: Value.self).deinitialize(count: 1) }
        )
        millrace_snapshot_destroy(
            snapshot,
            { payload, context in Unmanaged<PayloadVisitor>.fromOpaque(context!).takeUnretainedValue().visit(payload) },
            visitor.toOpaque()
        )
        visitor.release()
    }

    /// Makes a value the latest. The owner only. False when there was no memory for it; the one before is still the
    /// latest.
    ///
    /// Versions that no reader can see any more are destroyed here, on the owner's thread.
    @inlinable
    public func publish(_ value: consuming Value, version: UInt64) -> Bool {
        reclaim()
        guard let node = millrace_snapshot_prepare(snapshot) else { return false }
        payload(node).initialize(to: value)
        millrace_snapshot_publish(snapshot, node, version)
        return true
    }

    /// Destroys the versions that no reader can see any more. The owner only. Returns whether others still wait.
    @inlinable
    @discardableResult
    public func reclaim() -> Bool {
        // The look first: what was waiting then may have come back since, but nothing is overlooked.
        let waited = millrace_snapshot_waiting(snapshot) > 0
        while let old = millrace_snapshot_reclaim(snapshot) {
            payload(old).deinitialize(count: 1)
            millrace_snapshot_recycle(snapshot, old)
        }
        return waited
    }

    /// The latest value, in place. The owner only; valid until it publishes again.
    @inlinable
    public var latest: UnsafeMutablePointer<Value> {
        payload(millrace_snapshot_read(snapshot)!)
    }

    /// Lends the latest value and its version to a closure, without a copy.
    ///
    /// The closure must not block, suspend or wait for the owner: memory of the whole process waits for it to end.
    @inlinable @inline(__always)
    public func withLatest<Result>(_ body: (borrowing Value, UInt64) throws -> Result) rethrows -> Result {
        millrace_lend_begin()
        let node = millrace_snapshot_read(snapshot)!
        defer {
            millrace_snapshot_leave(node)
            millrace_read_end()
        }
        return try body(payload(node).pointee, node.pointee.version)
    }

    @inlinable
    func payload(_ node: UnsafeMutablePointer<millrace_snapshot_node>) -> UnsafeMutablePointer<Value> {
        millrace_snapshot_payload(snapshot, node).assumingMemoryBound(to: Value.self)
    }
}

/// Carries a closure through C's `void *context`.
@usableFromInline
final class PayloadVisitor {
    @usableFromInline let visit: (UnsafeMutableRawPointer) -> Void

    @usableFromInline
    init(_ visit: @escaping (UnsafeMutableRawPointer) -> Void) {
        self.visit = visit
    }
}
