// SPDX-License-Identifier: Apache-2.0

import CMillrace
public import MillraceCore
import Synchronization

extension StoreCore {
    /// What a dispatch does that found the queue full. An action that is refused has been counted; after one whose place
    /// was reserved the caller ends the reservation.
    @usableFromInline
    func admit() -> Admission.Answer {
        guard let admission, !isUnbounded else { return .free }
        switch admission.overflow {
        case .dropNewest, .dropOldest:
            if admission.isRoomForNewcomers { return .free }
            // Relaxed: a statistic.
            consumer.shared.dropped.add(1, ordering: .relaxed)
            return .refused
        case .block:
            let answer = admission.waitForRoom()
            // Closed while it waited; of a shard the queue itself may still be open, for the others.
            if answer == .refused { reject(1) }
            return answer
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
        return admission.waiters.count == 0 ? Int(clamping: admission.exactRoom(below: admission.capacity)) : 0
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

    /// Whether an action may go in at once, without a reservation: the caller pushes it next, without suspending.
    var hasRoomNow: Bool {
        guard let admission else { return true }
        return admission.room > 0 || isUnbounded || admission.isRoomForNewcomers
    }
}

extension StoreCore: Backpressure {
    @usableFromInline
    package func reserveRoom() async -> RoomReservation {
        guard let admission, !isUnbounded else { return .unbounded }
        switch await admission.reserveRoom() {
        case .reserved: return .reserved
        case .closed: return .closed
        case .cancelled: return .cancelled
        }
    }

    @usableFromInline
    package func endReservation() {
        admission?.endReservation()
    }

    /// Before the store is shared.
    @usableFromInline
    func showRoom() {
        // Not counted: whoever calls it holds the core.
        findRoom = { [unowned(unsafe) self] _ in self }
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
