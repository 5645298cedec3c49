// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

/// The store's queue without the store: full slots from any thread to one consumer. For the benchmark that compares
/// it with other queues; not API.
@_spi(Benchmarks)
public struct TransportQueue<Action>: @unchecked Sendable {
    // Unchecked because the queue is made to be shared; `drain` is for one thread at a time.
    @usableFromInline let queue: ActionQueue<Action>

    /// Nil when there is no memory.
    @inlinable
    public init?() {
        guard let queue = ActionQueue<Action>() else { return nil }
        self.queue = queue
    }

    /// Any thread. False when there is no memory.
    @inlinable
    public func push(_ action: consuming Action, source: ActionSource) -> Bool {
        guard case .accepted = queue.push(action, source: source, cause: .none, run: nil, flags: 0, admits: { true })
        else { return false }
        return true
    }

    /// The consumer: lends each waiting action, up to a limit, to a closure. Returns how many there were.
    @inlinable
    public func drain(upTo limit: Int, _ body: (borrowing Action) -> Void) -> Int {
        var taken = 0
        while taken < limit, let slot = millrace_queue_front(queue.raw) {
            let header = UnsafeMutableRawPointer(slot)
            let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
            body(action.pointee)
            action.deinitialize(count: 1)
            Slot.empty(header)
            millrace_queue_pop(queue.raw)
            taken += 1
        }
        if taken > 0 { millrace_queue_report(queue.raw) }
        return taken
    }

    /// The consumer, when nothing is there: waits about as long as the store's thread does between two looks.
    @inlinable
    public func pause() {
        for _ in 0..<64 { millrace_pause() }
    }

    /// After the last producer: frees everything.
    public func destroy() {
        queue.destroy()
    }
}
