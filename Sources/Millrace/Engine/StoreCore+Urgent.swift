// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

// Any thread.
extension StoreCore {
    /// Accepts an urgent action, and makes sure that a consumer looks for it. Counts an action that it cannot accept as
    /// rejected. Out of line.
    @inlinable @inline(never)
    func takeUrgent(
        _ dispatched: consuming DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        guard let urgent = urgentQueue() else {
            reject(1)
            return .outOfMemory
        }
        #if MILLRACE_PLANTED
            if Planted.has(.urgentTooEarly) { cell.stage.askUrgent() }
        #endif
        let result = urgent.push(
            dispatched.action,
            source: dispatched.dispatcher,
            cause: cause,
            run: run,
            flags: Slot.beyondCapacity,
            intake: queue.raw,
            admits: { admitsWhileClosed }
        )
        guard case .accepted = result else {
            reject(1)
            return OfferResult(result)
        }
        // Only after the publication of the action: see UrgentIntake.
        #if MILLRACE_PLANTED
            if Planted.has(.urgentTooEarly) { return .accepted }
        #endif
        cell.stage.askUrgent()
        wakeForUrgent()
        return .accepted
    }

    @usableFromInline
    func wakeForUrgent() { host?.wakeForUrgent() }

    /// Returns the queue of urgent actions, and makes it if there is none. Nil when there is no memory.
    @usableFromInline
    func urgentQueue() -> ActionQueue<Action>? {
        if let made = consumer.urgent.queue { return ActionQueue(made) }
        guard let fresh = ActionQueue<Action>() else { return nil }
        watchForks(fresh)
        // In a child of fork, the bell stops the program.
        queue.raw.bell.ring()
        let used = consumer.urgent.adopt(fresh.raw)
        // Another thread has made the queue in the meantime. No other thread knows this one.
        if used.pointer != fresh.raw.pointer { fresh.destroy() }
        return ActionQueue(used)
    }
}
