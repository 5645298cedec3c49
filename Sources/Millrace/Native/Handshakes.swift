// SPDX-License-Identifier: Apache-2.0

public import CMillrace

/// Wakes the consumer's thread. `millrace_doorbell.h` has the protocol.
struct Doorbell: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    let pointer: UnsafeMutablePointer<millrace_doorbell>

    /// Announces that the thread is about to sleep: look for work once more, then `wait` or `cancel`. The sleeper only.
    func prepare() { millrace_doorbell_prepare(pointer) }
    func cancel() { millrace_doorbell_cancel(pointer) }

    /// Sleeps until a ring, at most so long; 0: without a limit. Returns false if the time ran out. The sleeper only.
    func wait(nanoseconds: UInt64) -> Bool { millrace_doorbell_wait(pointer, nanoseconds) }

    /// Wakes the sleeper. Any thread.
    func ring() { millrace_doorbell_ring(pointer) }

    /// Has a child of fork stop at its first ring or publication, if the consumer is a thread of the parent. With a
    /// baton, only if a thread held it during the fork, also the forking one. Once. The baton must live as long as the
    /// queue.
    func watchForks(_ baton: Baton?) { millrace_doorbell_watch(pointer, baton?.pointer) }

    /// Stops the program if the sleeper is a thread of a parent process. Any thread.
    func assertProcess() { millrace_doorbell_assert_process(pointer) }

    /// How often a producer woke the sleeper. Any thread.
    var wakeUps: UInt64 { millrace_doorbell_wakeups(pointer) }

    /// Has producers run the full barrier, which the baton's handshake needs. Before the store is shared.
    func makeSymmetric() { pointer.pointee.asymmetric = 0 }
}

/// The right to consume, where more than one thread may do it. `millrace_baton.h` has the protocol.
@usableFromInline
struct Baton: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    @usableFromInline let pointer: UnsafeMutablePointer<millrace_baton>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: millrace_baton())
    }

    func deallocate() { pointer.deallocate() }

    /// Returns true if the caller is the consumer from here on. Any thread.
    func tryTake() -> Bool { millrace_baton_try_take(pointer) }
}

/// Lets threads wait for one event. `millrace_gate.h` has the protocol.
struct EventGate: @unchecked Sendable {
    // Unchecked because it is a pointer to memory that is shared by design.
    private let pointer: UnsafeMutablePointer<millrace_gate>

    init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: millrace_gate())
    }

    func deallocate() { pointer.deallocate() }

    func open() { millrace_gate_open(pointer) }

    /// Blocks the thread until the gate is open.
    func wait() { millrace_gate_wait(pointer) }

    /// The same, at most so long. Returns whether the gate is open.
    func wait(nanoseconds: UInt64) -> Bool { millrace_gate_wait_for(pointer, nanoseconds) }
}
