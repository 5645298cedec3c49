// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The store's queue without the store: any thread pushes full slots, one consumer drains them. For the benchmark that
/// compares it with other queues; not API.
@_spi(Benchmarks)
public struct TransportQueue<Action>: @unchecked Sendable {
    // Unchecked because the queue is made to be shared. Only one thread at a time may call `drain`.
    @usableFromInline let queue: ActionQueue<Action>

    /// Creates a queue; nil when there is no memory.
    @inlinable
    public init?() {
        guard let queue = ActionQueue<Action>() else { return nil }
        self.queue = queue
    }

    /// Pushes an action. Returns false when there is no memory. Any thread.
    @inlinable
    public func push(_ action: consuming Action, source: ActionSource) -> Bool {
        guard case .accepted = queue.push(action, source: source, cause: .none, run: nil, flags: 0, admits: { true })
        else { return false }
        return true
    }

    /// Lends each waiting action to a closure, up to a limit. Returns how many there were. The consumer only.
    @inlinable
    public func drain(upTo limit: Int, _ body: (borrowing Action) -> Void) -> Int {
        var taken = 0
        while taken < limit, let slot = queue.raw.front() {
            let header = UnsafeMutableRawPointer(slot)
            let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
            body(action.pointee)
            action.deinitialize(count: 1)
            Slot.empty(header)
            queue.raw.pop()
            taken += 1
        }
        if taken > 0 { queue.raw.report() }
        return taken
    }

    /// Waits about as long as the store's thread does between two reads of an empty queue. The consumer only.
    @inlinable
    public func pause() {
        System.pause(64)
    }

    /// Frees everything. Called after the last producer and the consumer have finished.
    public func destroy() {
        queue.destroy()
    }
}
