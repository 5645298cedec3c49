// SPDX-License-Identifier: Apache-2.0

/// Lets threads wait for one event.
package final class Latch: Sendable {
    private let gate = EventGate()

    package init() {}

    deinit {
        gate.deallocate()
    }

    package func open() {
        gate.open()
    }

    /// Blocks the thread until `open()` is called.
    func wait() {
        gate.wait()
    }

    /// Blocks the thread until `open()` is called, at most for `nanoseconds`. Returns whether it was called.
    @discardableResult
    package func wait(nanoseconds: UInt64) -> Bool {
        gate.wait(nanoseconds: nanoseconds)
    }
}
