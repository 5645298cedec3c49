// SPDX-License-Identifier: Apache-2.0

import CMillrace
public import MillraceCore
import Synchronization

extension StoreCore {
    /// What a dispatch does that found the queue full. True: the action goes in. Else it has been counted.
    @usableFromInline
    func admit() -> Bool {
        guard let admission, !isUnbounded else { return true }
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
    func roomForOffers() -> Int {
        guard let admission else { return .max }
        let room = admission.roomForOffers
        if room > 0 { return Int(clamping: room) }
        if isUnbounded { return .max }
        return admission.waiters.isEmpty ? Int(clamping: admission.exactRoom(below: admission.capacity)) : 0
    }

    /// A closed queue refuses by itself, and the pipeline cannot wait for room that only it can make.
    private var isUnbounded: Bool { consumer.isClosed || isOwnThread }

    /// The flags of what goes in with these: what the pipeline itself dispatches is not thrown away as the oldest.
    @usableFromInline
    func ownFlags(_ flags: UInt64 = 0) -> UInt64 {
        guard let admission, admission.overflow == .dropOldest, isOwnThread else { return flags }
        return flags | Slot.exempt
    }

    /// Takes an action if there is room. Counted either way.
    @inlinable
    func offer(_ dispatched: consuming DispatchedAction<Action>) -> OfferResult {
        guard roomForOffers() > 0 else {
            reject(1)
            return .full
        }
        let result = push(dispatched, cause: .none, run: nil, flags: ownFlags())
        settle(result)
        return OfferResult(result)
    }

    /// Takes as many of a run as there is room for. Counts them and not the others.
    @inlinable
    func offer(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) -> OfferedActions {
        var done = 0
        while done < actions.count {
            let room = roomForOffers()
            guard room > 0 else { return OfferedActions(accepted: done, result: .full) }
            let run = queue.push(
                contentsOf: actions,
                from: done,
                upTo: done + min(room, actions.count - done, ActionQueue<Action>.longestRun),
                source: source,
                flags: ownFlags(),
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
        guard let admission, admission.room == 0, !isUnbounded, !admission.isRoomForNewcomers else { return }
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

extension StoreCore: RoomKeeper {
    @usableFromInline
    func offerRoomToEffects() {
        consumer.effects.room = self
    }

    @usableFromInline
    package func hasRoom() async -> Bool {
        do {
            try await waitForRoom()
            return true
        } catch {
            return !(error is CancellationError)
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
