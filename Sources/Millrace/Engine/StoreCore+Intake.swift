// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
public import MillraceCore
import Synchronization

// Any thread.
extension StoreCore {
    /// Takes an action from outside or from an output, as the store's policy has it.
    @inlinable
    func take(_ dispatched: consuming DispatchedAction<Action>, cause: ActionCause, run: EffectRun?, flags: UInt64) {
        if let admission, flags == 0, admission.room == 0 { return takeWhenFull(dispatched, cause: cause, run: run) }
        settle(push(dispatched, cause: cause, run: run, flags: admission == nil ? flags : ownFlags(flags)))
    }

    /// The same where the queue was found full. Out of line: a second copy of the push in the caller would keep the
    /// compiler from inlining the first.
    @inlinable @inline(never)
    func takeWhenFull(_ dispatched: consuming DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        let answer = admit()
        if answer == .refused { return }
        let result = push(dispatched, cause: cause, run: run, flags: ownFlags())
        // Also if the push was refused: the next one may have the place. Before the pipeline may run here, and for long.
        if answer == .reserved { endReservation() }
        settle(result)
    }

    /// The same from outside, for an action that was meant for an earlier time. Out of line as above.
    @inlinable @inline(never)
    func take(_ dispatched: consuming DispatchedAction<Action>, intended: UInt64) {
        var answer = Admission.Answer.free
        if let admission, admission.room == 0 { answer = admit() }
        if answer == .refused { return }
        let flags = admission == nil ? 0 : ownFlags(0)
        let result = queue.push(
            dispatched.action,
            source: dispatched.dispatcher,
            cause: .none,
            run: nil,
            flags: flags,
            intended: intended,
            admits: { admitsWhileClosed }
        )
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
        queue.push(
            dispatched.action,
            source: dispatched.dispatcher,
            cause: cause,
            run: run,
            flags: flags,
            admits: { admitsWhileClosed }
        )
    }

    /// The pipeline's own dispatches go on until the store is abandoned.
    @usableFromInline
    var admitsWhileClosed: Bool { cell.isRunningHere && !consumer.isAbandoned }

    /// Takes a run of actions from memory that nobody changes meanwhile, as the store's policy has it.
    @inlinable
    func take(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) {
        var done = 0
        while done < actions.count {
            var end = min(actions.count, done + ActionQueue<Action>.longestRun)
            var answer = Admission.Answer.free
            if let admission {
                let room = admission.room
                if room == 0 { answer = admit() }
                if answer == .refused {
                    done += 1
                    continue
                }
                // One at least: the policy let it in. No more than the capacity, though twice that goes in where the
                // oldest are thrown away: who drains by itself after each run throws none away.
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
            // The one that was refused is settled.
            done += max(1, run.count)
        }
    }

    /// After a push: counts what was refused, sees to it that somebody consumes the rest.
    @inlinable
    func settle(_ result: ActionQueue<Action>.PushResult) {
        if case .accepted(let position) = result {
            if needsKick { kick(upTo: position) }
        } else {
            reject(1)
        }
    }

    /// As `accept`, for the pipeline of another shard: it must not wait here, and is not thrown away.
    func acceptExempt(_ dispatched: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        settle(push(dispatched, cause: cause, run: run, flags: Slot.exempt))
    }

    @usableFromInline
    func reject(_ count: UInt64) {
        consumer.shared.rejected.add(count, ordering: .relaxed)
    }

    /// Puts a message into the order of actions. False when the pipeline ends.
    ///
    /// Without memory it waits for some: the caller has promised somebody an answer.
    func send(_ body: @escaping () -> Void) -> Bool {
        let message = PipelineMessage(body)
        while true {
            switch put(message) {
            case .accepted(let position):
                if needsKick { kick(upTo: position) }
                return true
            case .closed:
                return false
            case .outOfMemory:
                if cell.isRunningHere {
                    // Nobody else can make room: out of turn, but on the right thread.
                    consumer.deliverOutOfTurn(message)
                    return true
                }
                sched_yield()
            }
        }
    }

    private func put(_ message: PipelineMessage) -> ActionQueue<Action>.PushResult {
        let isOwn = cell.isRunningHere
        return consumer.shared.messageIntake.withLock { intake in
            guard !intake.isClosed || isOwn else { return .closed }
            let result = queue.push(message: message)
            // Relaxed: whoever reads it in step with the positions holds the lock.
            if case .accepted = result { consumer.shared.messagesOffered.add(1, ordering: .relaxed) }
            return result
        }
    }
}
