// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Internal actions: what the pipeline of a store with `.internalFirst` dispatches itself.
extension StoreCore {
    /// Accepts an internal action. On the pipeline's thread. Out of line: otherwise the compiler would not inline the
    /// push into the shared queue.
    @inlinable @inline(never)
    func pushInternally(
        _ action: consuming Action,
        source: ActionSource,
        cause: ActionCause,
        run: EffectRun?,
        flags: UInt64,
        intended: UInt64
    ) -> ActionQueue<Action>.PushResult {
        putInternally(action, source: source, cause: cause, run: run, flags: flags, intended: intended)
    }

    /// Accepts an internal action. On the pipeline's thread. Does not retain the queue, which the core keeps.
    @inlinable @inline(__always)
    func putInternally(
        _ action: consuming Action,
        source: ActionSource,
        cause: ActionCause,
        run: EffectRun?,
        flags: UInt64,
        intended: UInt64
    ) -> ActionQueue<Action>.PushResult {
        if cell.stage.isAbandoned { return .closed }
        guard let internalQueue, let slot = internalQueue._withUnsafeGuaranteedRef({ $0.reserve() }) else {
            // Without memory for an internal action, it goes to the tail of the shared queue.
            return pushShared(action, source: source, cause: cause, run: run, flags: flags | Slot.beyondCapacity)
        }
        let isStamping = queue.raw.isStamping
        var header = SlotHeader(source, cause, run, isStamping: isStamping)
        if isStamping { header.extra = intended == 0 ? TickClock.now : intended }
        Slot.write(slot, header)
        Slot.writeFlags(slot, flags)
        (slot + ActionQueue<Action>.payloadOffset).initializeMemory(as: Action.self, to: action)
        let pushed = internalQueue._withUnsafeGuaranteedRef { $0.commit() }
        // Not retained for the call: the consumer keeps them.
        Unmanaged.passUnretained(consumer.shared)._withUnsafeGuaranteedRef { $0.noteInternal(pushed) }
        return .acceptedInternally
    }

    /// Puts an action into the shared queue. Any thread. Out of line.
    @inlinable @inline(never)
    func pushShared(
        _ action: consuming Action,
        source: ActionSource,
        cause: ActionCause,
        run: EffectRun?,
        flags: UInt64
    ) -> ActionQueue<Action>.PushResult {
        queue.push(action, source: source, cause: cause, run: run, flags: flags, admits: { admitsWhileClosed })
    }

    /// Accepts an action from an output of a store with `.internalFirst`. Any thread. Does not copy the action and its
    /// source.
    @inlinable @inline(__always)
    func takeOutputInternally(_ action: consuming Action, source: ActionSource, cause: ActionCause, run: EffectRun?) {
        var flags = run?.isBeyondCapacity == true ? Slot.beyondCapacity : 0
        if flags == 0, isFull {
            return takeWhenFull(action, source, cause: cause, run: run)
        }
        if dropsOldest { flags = ownFlags(flags) }
        let result =
            cell.isRunningHere
            ? putInternally(action, source: source, cause: cause, run: run, flags: flags, intended: 0)
            : pushShared(action, source: source, cause: cause, run: run, flags: flags)
        settle(result)
    }
}
