// SPDX-License-Identifier: Apache-2.0

import CMillrace
public import MillraceCore
import Synchronization

extension StoreCore {
    /// What a dispatch does that found the queue full. True: the action goes in. Else it has been counted.
    @usableFromInline
    func admit() -> Bool {
        // A closed queue refuses by itself.
        guard let admission, !consumer.isClosed, !isOwnThread else { return true }
        switch admission.overflow {
        case .dropNewest, .dropOldest:
            if admission.exactRoom > 0 { return true }
            // Relaxed: a statistic.
            consumer.shared.dropped.add(1, ordering: .relaxed)
            return false
        case .block:
            if admission.waitForRoom() { return true }
            // Closed while it waited; of a shard the queue itself may still be open, for the others.
            reject(1)
            return false
        }
    }

    /// How many actions an offer may put in now: as many as there is room for, or any number where the bound does not
    /// hold.
    @usableFromInline
    func room() -> Int {
        guard let admission else { return .max }
        let room = admission.room
        if room > 0 { return Int(clamping: room) }
        if consumer.isClosed || isOwnThread { return .max }
        return admission.waiters.isEmpty ? Int(clamping: admission.exactRoom) : 0
    }

    /// Takes an action if there is room. Counted either way.
    @inlinable
    func offer(_ dispatched: consuming DispatchedAction<Action>) -> OfferResult {
        guard room() > 0 else {
            reject(1)
            return .full
        }
        let result = push(dispatched, cause: .none, run: nil, flags: 0)
        settle(result)
        return OfferResult(result)
    }

    /// Takes as many of a run as there is room for. Counts them and not the others.
    @inlinable
    func offer(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) -> OfferedActions {
        var done = 0
        while done < actions.count {
            let room = room()
            guard room > 0 else { return OfferedActions(accepted: done, result: .full) }
            let run = queue.push(
                contentsOf: actions,
                from: done,
                upTo: done + min(room, actions.count - done, ActionQueue<Action>.longestRun),
                source: source,
                admits: { admitsWhileClosed }
            )
            done += run.count
            guard case .accepted(let position) = run.last else {
                return OfferedActions(accepted: done, result: OfferResult(run.last))
            }
            if needsKick { kick(upTo: position) }
        }
        return OfferedActions(accepted: done, result: .accepted)
    }

    /// Suspends until there is room. Returns at once where the bound does not hold.
    func waitForRoom() async throws {
        guard let admission, room() == 0 else { return }
        let id = admission.waiters.makeID()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { task in
                admission.waiters.wait(
                    id,
                    // Cancelled before: the handler below has run, and found nobody.
                    lookAgain: { Task.isCancelled ? .cancelled : $0 && admission.exactRoom > 0 ? .granted : nil },
                    resume: { (outcome: RoomWaiters.Outcome) in task.resume(returning: outcome) }
                )
            }
        } onCancel: {
            admission.waiters.finish(id, with: .cancelled)
        }
        switch outcome {
        case .granted: return
        case .closed: throw SendError.closed
        case .cancelled:
            // Who comes next relied on us to take the room, and so to keep the consumer going.
            if admission.exactRoom > 0 { admission.waiters.grant(1) }
            throw CancellationError()
        }
    }
}

extension OfferResult {
    @usableFromInline
    init<Action>(_ result: ActionQueue<Action>.PushResult) {
        switch result {
        case .accepted: self = .accepted
        case .closed: self = .closed
        case .outOfMemory: self = .outOfMemory
        }
    }
}
