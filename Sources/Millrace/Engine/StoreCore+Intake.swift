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
        if let admission, flags == 0, admission.room == 0, !admit() { return }
        settle(push(dispatched, cause: cause, run: run, flags: admission == nil ? flags : ownFlags(flags)))
    }

    /// The same from outside, for an action that was meant for an earlier time. Out of line: a second copy of the push
    /// in the caller would keep the compiler from inlining the first.
    @inlinable @inline(never)
    func take(_ dispatched: consuming DispatchedAction<Action>, intended: UInt64) {
        if let admission, admission.room == 0, !admit() { return }
        let flags = admission == nil ? 0 : ownFlags(0)
        settle(
            queue.push(
                dispatched.action,
                source: dispatched.dispatcher,
                cause: .none,
                run: nil,
                flags: flags,
                intended: intended,
                admits: { admitsWhileClosed }
            )
        )
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
            if let admission {
                let room = admission.room
                if room == 0, !admit() {
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

    /// Puts a message into the order of actions. False when the store is closed.
    ///
    /// Without memory it waits for some: the caller has promised somebody an answer.
    func send(_ body: @escaping () -> Void) -> Bool {
        let message = PipelineMessage(body)
        while true {
            switch queue.push(message: message, admits: { cell.isRunningHere }) {
            case .accepted(let position):
                // After the push: until then `pending` counts it, rather than miss an action.
                consumer.shared.messagesOffered.add(1, ordering: .relaxed)
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
}
