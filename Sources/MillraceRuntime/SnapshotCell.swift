// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// The latest version of a value: published by one owner, read by any thread without a lock.
///
/// ```swift
/// guard let cell = SnapshotCell(Configuration()) else { return }      // no memory
/// let isPublished = cell.publish(changed, version: 1)                 // the owner
/// let limit = cell.withLatest { value, _ in value.limit }             // any thread
/// ```
///
/// **Threads.** `withLatest`: any thread. `publish`, `reclaim` and `latest`: one thread at a time, the owner.
///
/// **Cost.** A read costs four stores to words of the thread's own, and one load. A publication copies the value. From
/// time to time it also looks whether any thread reads: 0.3 µs, or up to 10 µs if threads of the program run on other
/// cores, which it interrupts. If none reads, it destroys the old versions and uses their memory again. Otherwise it
/// hands them to liburcu. An owner that publishes all the time takes about 0.1 µs for each version, looks included; one
/// that publishes seldom looks at each.
public final class SnapshotCell<Value>: @unchecked Sendable {
    // Unchecked because the pointer is shared by design: millrace_snapshot.h says which thread may make which call.
    @usableFromInline let snapshot: UnsafeMutablePointer<millrace_snapshot>

    /// Creates a cell with a first version. Nil if there is no memory, or if the value's alignment is over 4096 bytes.
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

    /// Publishes a value as the latest version. The owner only. Returns false if there was no memory; the previous
    /// version then stays the latest.
    ///
    /// The call also destroys the versions that no reader can see any more, on the owner's thread. Inside a read
    /// section it does not, because a destructor may do anything.
    @inlinable
    public func publish(_ value: consuming Value, version: UInt64) -> Bool {
        if !millrace_read_ongoing() {
            millrace_snapshot_settle(snapshot, false)
            destroyUnseen()
        }
        guard let node = millrace_snapshot_prepare(snapshot) else { return false }
        payload(node).initialize(to: value)
        millrace_snapshot_publish(snapshot, node, version)
        return true
    }

    /// Destroys the versions that no reader can see any more. The owner only. Returns whether old versions may still
    /// wait for their readers.
    @inlinable
    @discardableResult
    public func reclaim() -> Bool {
        millrace_snapshot_settle(snapshot, true)
        // Checked first: a version that waited at the check may be destroyed below, but no waiting version is missed.
        let waited = millrace_snapshot_waiting(snapshot) > 0
        destroyUnseen()
        return waited
    }

    /// Destroys the old versions that are known to have no reader.
    @inlinable
    func destroyUnseen() {
        while let old = millrace_snapshot_reclaim(snapshot) {
            payload(old).deinitialize(count: 1)
            millrace_snapshot_recycle(snapshot, old)
        }
    }

    /// A pointer to the latest value. The owner only; valid until the owner publishes again.
    @inlinable
    public var latest: UnsafeMutablePointer<Value> {
        payload(millrace_snapshot_read(snapshot)!)
    }

    /// Calls a closure with the latest value and its version, without a copy.
    ///
    /// The closure must not block, suspend or wait for the owner: while it runs, no memory that waits for readers can
    /// be freed in the whole process.
    @inlinable @inline(__always)
    public func withLatest<Result>(_ body: (borrowing Value, UInt64) throws -> Result) rethrows -> Result {
        let reader = millrace_lend_begin()
        let node = millrace_snapshot_read(snapshot)!
        defer {
            millrace_snapshot_leave(node)
            millrace_lend_end(reader)
        }
        return try body(payload(node).pointee, node.pointee.version)
    }

    @inlinable
    func payload(_ node: UnsafeMutablePointer<millrace_snapshot_node>) -> UnsafeMutablePointer<Value> {
        millrace_snapshot_payload(snapshot, node).assumingMemoryBound(to: Value.self)
    }
}

/// An object that passes a closure through C's `void *context`.
@usableFromInline
final class PayloadVisitor {
    @usableFromInline let visit: (UnsafeMutableRawPointer) -> Void

    @usableFromInline
    init(_ visit: @escaping (UnsafeMutableRawPointer) -> Void) {
        self.visit = visit
    }
}
