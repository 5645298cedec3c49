// SPDX-License-Identifier: Apache-2.0

import CMillrace

/// Wakes the consumer's thread. `millrace_doorbell.h` has the protocol.
struct Doorbell {
    let pointer: UnsafeMutablePointer<millrace_doorbell>

    /// Announces that the thread is about to sleep: look for work once more, then `wait` or `cancel`. The sleeper only.
    func prepare() { millrace_doorbell_prepare(pointer) }
    func cancel() { millrace_doorbell_cancel(pointer) }

    /// Sleeps until a ring, at most so long; 0: without a limit. Returns false if the time ran out. The sleeper only.
    func wait(nanoseconds: UInt64) -> Bool { millrace_doorbell_wait(pointer, nanoseconds) }

    /// Wakes the sleeper. Any thread.
    func ring() { millrace_doorbell_ring(pointer) }

    /// How often a producer woke the sleeper. Any thread.
    var wakeUps: UInt64 { millrace_doorbell_wakeups(pointer) }

    /// Has producers run the full barrier, which the baton's handshake needs. Before the store is shared.
    func makeSymmetric() { pointer.pointee.asymmetric = 0 }
}
