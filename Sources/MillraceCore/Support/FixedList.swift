// SPDX-License-Identifier: Apache-2.0

/// Objects in an order that does not change, to be called one after the other at every action.
///
/// Going through an array retains each object, and calling each from the one before takes a frame of the stack each.
/// Here a call costs the load of an address.
@usableFromInline
package final class FixedList<Object: AnyObject> {
    /// Keeps them.
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

    /// Calls `body` with each object in order. Who calls this keeps the list until it returns.
    @inlinable @inline(__always)
    package func forEach(_ body: (Object) -> Void) {
        for index in 0..<count { addresses[index]._withUnsafeGuaranteedRef { body($0) } }
    }
}
