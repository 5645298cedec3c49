// SPDX-License-Identifier: Apache-2.0

import Glibc
public import MillraceCore
import Synchronization

// Any thread.
extension StoreCore {
    /// Accepts an action from outside or from an output, according to the store's overflow policy.
    @inlinable
    func take(_ dispatched: consuming DispatchedAction<Action>, cause: ActionCause, run: EffectRun?, flags: UInt64) {
        if flags == 0, isFull {
            return takeWhenFull(dispatched.action, dispatched.dispatcher, cause: cause, run: run)
        }
        settle(push(dispatched, cause: cause, run: run, flags: dropsOldest ? ownFlags(flags) : flags))
    }

    /// Accepts an action from outside by its parts: an erased store would put them together and destroy them again, by
    /// calls that look up the type. Inlined into the store's `dispatch`, for the same reason.
    @inlinable @inline(__always)
    func takeFromOutside(_ action: consuming Action, source: ActionSource) {
        var flags: UInt64 = 0
        if bounds != nil {
            if isFull {
                return takeWhenFull(action, source, cause: .none, run: nil)
            }
            if dropsOldest { flags = ownFlags(0) }
        }
        settle(pushHere(action, source: source, flags: flags))
    }

    @inlinable @inline(__always)
    func pushHere(_ action: consuming Action, source: ActionSource, flags: UInt64) -> ActionQueue<Action>.PushResult {
        if hasInternalRoom {
            return pushInternally(action, source: source, cause: .none, run: nil, flags: flags, intended: 0)
        }
        return queue.push(action, source: source, cause: .none, run: nil, flags: flags, admits: { admitsWhileClosed })
    }

    /// Accepts an action from an output of a store without internal actions. Does not copy the action and its source.
    @inlinable @inline(__always)
    func takeOutput(_ action: consuming Action, source: ActionSource, cause: ActionCause, run: EffectRun?) {
        var flags = run?.isBeyondCapacity == true ? Slot.beyondCapacity : 0
        if bounds != nil {
            if flags == 0, isFull {
                return takeWhenFull(action, source, cause: cause, run: run)
            }
            if dropsOldest { flags = ownFlags(flags) }
        }
        let result = queue.push(
            action,
            source: source,
            cause: cause,
            run: run,
            flags: flags,
            admits: { admitsWhileClosed }
        )
        settle(result)
    }

    /// Accepts an action after the queue was found full. Out of line: with a second copy of the push in the caller, the
    /// compiler would not inline the first one.
    @inlinable @inline(never)
    func takeWhenFull(_ action: consuming Action, _ source: ActionSource, cause: ActionCause, run: EffectRun?) {
        let answer = admit(isOfEffect: run != nil)
        if answer == .notAccepted { return }
        let dispatched = DispatchedAction(action, dispatcher: source)
        let result = push(dispatched, cause: cause, run: run, flags: ownFlags())
        // Ends it even if the push was rejected, for the next waiter. Does so before `settle`, which may run the
        // pipeline here for a long time.
        if answer == .reserved { endReservation() }
        settle(result)
    }

    /// Accepts an action from outside that was intended for an earlier time. Out of line for the same reason.
    @inlinable @inline(never)
    func take(_ dispatched: consuming DispatchedAction<Action>, intended: UInt64) {
        var answer = Admission.Answer.free
        if isFull { answer = admit() }
        if answer == .notAccepted { return }
        let flags = dropsOldest ? ownFlags(0) : 0
        let result: ActionQueue<Action>.PushResult
        if hasInternalRoom {
            result = pushInternally(
                dispatched.action,
                source: dispatched.dispatcher,
                cause: .none,
                run: nil,
                flags: flags,
                intended: intended
            )
        } else {
            result = queue.push(
                dispatched.action,
                source: dispatched.dispatcher,
                cause: .none,
                run: nil,
                flags: flags,
                intended: intended,
                admits: { admitsWhileClosed }
            )
        }
        if answer == .reserved { endReservation() }
        settle(result)
    }

    @inlinable
    func push(
        _ dispatched: consuming DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?,
        flags: UInt64
    ) -> ActionQueue<Action>.PushResult {
        if hasInternalRoom {
            return pushInternally(
                dispatched.action,
                source: dispatched.dispatcher,
                cause: cause,
                run: run,
                flags: flags,
                intended: 0
            )
        }
        return queue.push(
            dispatched.action,
            source: dispatched.dispatcher,
            cause: cause,
            run: run,
            flags: flags,
            admits: { admitsWhileClosed }
        )
    }

    /// Whether a push is allowed while the queue is closed: the pipeline may dispatch until the store is abandoned.
    @usableFromInline
    var admitsWhileClosed: Bool { cell.isRunningHere && !consumer.isAbandoned }

    /// Accepts a run of actions according to the store's overflow policy. No thread may change the memory meanwhile.
    @inlinable
    func take(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) {
        if hasInternalRoom {
            let accepted = takeInternally(contentsOf: actions, source).accepted
            if accepted < actions.count { reject(UInt64(actions.count - accepted)) }
            return
        }
        var done = 0
        while done < actions.count {
            var end = min(actions.count, done + ActionQueue<Action>.longestRun)
            var answer = Admission.Answer.free
            if let admission {
                let room = admission.room
                if room == 0 { answer = admit() }
                if answer == .notAccepted {
                    done += 1
                    continue
                }
                // At least one, which the policy let in. At most the capacity, though `.dropOldest` has room for twice
                // as many: a caller that drains by itself after each run then drops no action.
                end = min(end, done + Int(clamping: max(1, min(room, admission.capacity))))
            }
            let run = queue.push(
                contentsOf: actions,
                from: done,
                upTo: end,
                source: source,
                flags: ownFlags(),
                admits: { admitsWhileClosed }
            )
            if answer == .reserved { endReservation() }
            settle(run.last)
            // A rejected action is settled, too.
            done += max(1, run.count)
        }
    }

    /// Whether what the caller dispatches is internal.
    @inlinable
    var hasInternalRoom: Bool { internalQueue != nil && cell.isRunningHere && (siblings.isEmpty || isOfThisShard) }

    /// Whether the caller, which runs inside an action of this shard, belongs to this shard. The pipeline of another
    /// shard may run there, too (`.caller`): its actions come from outside.
    @usableFromInline
    var isOfThisShard: Bool {
        Frames.counters == consumer.counters
            || !siblings.contains { $0 != consumer.identity && Frames.isRunning($0) }
    }

    /// Accepts a run of internal actions up to the first one that is not accepted. The caller counts the others as
    /// rejected.
    @inlinable @inline(never)
    func takeInternally(contentsOf actions: UnsafeBufferPointer<Action>, _ source: ActionSource) -> OfferedActions {
        for index in actions.indices {
            let dispatched = DispatchedAction(actions[index], dispatcher: source)
            let result = push(dispatched, cause: .none, run: nil, flags: 0)
            let answer = OfferResult(result)
            guard answer == .accepted else { return OfferedActions(accepted: index, result: answer) }
            settle(result)
        }
        return OfferedActions(accepted: actions.count, result: .accepted)
    }

    /// Ends a push: counts a rejected action, or makes sure that a consumer runs.
    @inlinable
    func settle(_ result: ActionQueue<Action>.PushResult) {
        switch result {
        case .accepted(let position):
            #if MILLRACE_PLANTED
                if Planted.has(.lostWakeUp), queue.raw.depth > 1 { return }
            #endif
            if needsKick { kick(upTo: position) }
        case .acceptedInternally: break
        case .closed, .outOfMemory: reject(1)
        }
    }

    /// Accepts an action from the pipeline of another shard. That pipeline must not wait here, and the action is never
    /// dropped as the oldest.
    func acceptBeyondCapacity(_ dispatched: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        if hasInternalRoom {
            let result = pushInternally(
                dispatched.action,
                source: dispatched.dispatcher,
                cause: cause,
                run: run,
                flags: Slot.beyondCapacity,
                intended: 0
            )
            settle(result)
        } else {
            let result = queue.push(
                dispatched.action,
                source: dispatched.dispatcher,
                cause: cause,
                run: run,
                flags: Slot.beyondCapacity,
                admits: { admitsWhileClosed }
            )
            settle(result)
        }
    }

    @usableFromInline
    func reject(_ count: UInt64) {
        consumer.shared.rejected.add(count, ordering: .relaxed)
    }

    /// Puts a message at its place among the actions. Returns false when the pipeline has ended.
    ///
    /// If there is no memory, it waits for some, because the caller has promised an answer.
    func send(_ body: @escaping () -> Void) -> Bool {
        if !isHandledByCaller { queue.raw.bell.assertProcess() }
        let message = PipelineMessage(body)
        while true {
            switch put(message) {
            case .accepted(let position):
                if needsKick { kick(upTo: position) }
                return true
            case .closed, .acceptedInternally:
                return false
            case .outOfMemory:
                if cell.isRunningHere {
                    // No other thread can make room: deliver it out of order, but on the right thread.
                    consumer.deliverOutOfTurn(message)
                    return true
                }
                sched_yield()
            }
        }
    }

    /// Puts a message into the queue. Wakes nobody.
    func put(_ message: PipelineMessage) -> ActionQueue<Action>.PushResult {
        let isOwn = cell.isRunningHere
        return consumer.shared.messageIntake.withLock { intake in
            guard !intake.isClosed || isOwn else { return .closed }
            let result = queue.push(message: message)
            // Relaxed: a thread that reads it together with the positions holds the lock.
            if case .accepted = result { consumer.shared.messagesOffered.add(1, ordering: .relaxed) }
            return result
        }
    }
}
