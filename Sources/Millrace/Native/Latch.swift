// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Lets threads wait for one event.
package final class Latch: @unchecked Sendable {
    // Unchecked because the word behind the pointer is made to be shared.
    private let gate = UnsafeMutablePointer<millrace_gate>.allocate(capacity: 1)

    package init() {
        gate.initialize(to: millrace_gate())
    }

    deinit {
        gate.deallocate()
    }

    package func open() {
        millrace_gate_open(gate)
    }

    /// Blocks the thread until `open()` is called.
    func wait() {
        millrace_gate_wait(gate)
    }

    /// Blocks the thread until `open()` is called, at most for `nanoseconds`. Returns whether it was called.
    @discardableResult
    package func wait(nanoseconds: UInt64) -> Bool {
        millrace_gate_wait_for(gate, nanoseconds)
    }
}
