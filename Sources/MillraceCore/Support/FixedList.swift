// SPDX-License-Identifier: Apache-2.0

/// Objects in a fixed order, which are called one after the other at every action.
///
/// Iterating over an array retains each object. If each object called the next one, each call would take a stack frame.
/// Here a call costs one load of an address.
@usableFromInline
package final class FixedList<Object: AnyObject> {
    /// Keeps the objects alive.
    private let objects: [Object]
    @usableFromInline let addresses: UnsafeMutablePointer<Unmanaged<Object>>
    @usableFromInline package let count: Int

    @usableFromInline
    package init(_ objects: [Object]) {
        self.objects = objects
        count = objects.count
        addresses = .allocate(capacity: max(1, objects.count))
        for (index, object) in objects.enumerated() {
            (addresses + index).initialize(to: .passUnretained(object))
        }
    }

    deinit {
        addresses.deallocate()
    }

    /// Calls `body` with each object in order, and keeps the list alive until this returns.
    @inlinable @inline(__always)
    package func forEach(_ body: (Object) -> Void) {
        defer { withExtendedLifetime(self) {} }
        for index in 0..<count { addresses[index]._withUnsafeGuaranteedRef { body($0) } }
    }
}
