// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

extension StoreCore {
    /// Decides what happens to a dispatch that found the queue full. If the answer is `notAccepted`, the action has
    /// been counted as dropped or rejected. If the answer is `reserved`, the caller must end the reservation.
    ///
    /// - Parameter isOfEffect: Whether an effect dispatches.
    @usableFromInline
    func admit(isOfEffect: Bool = false) -> Admission.Answer {
        guard let admission, !isUnbounded else { return .free }
        switch admission.overflow {
        case .dropNewest, .dropOldest:
            if admission.isRoomForNewcomers { return .free }
            // Relaxed: a statistic.
            consumer.shared.dropped.add(1, ordering: .relaxed)
            return .notAccepted
        case .block:
            if isOfEffect { admission.effectBeginsToWait() }
            let answer = admission.waitForRoom()
            if isOfEffect { admission.effectHasWaited() }
            // The waiters were closed while the thread waited. A shard's queue may still be open then, for the other
            // shards.
            if answer == .notAccepted { reject(1) }
            return answer
        }
    }

    /// Returns the number of actions that an offer may push now: the free places, or any number if the capacity does
    /// not apply.
    @usableFromInline
    func roomForOffers() -> Int {
        guard let admission else { return .max }
        let room = admission.roomForOffers
        if room > 0 { return Int(clamping: room) }
        if isUnbounded { return .max }
        return admission.waiters.count == 0 ? Int(clamping: admission.exactRoom(below: admission.capacity)) : 0
    }

    /// Whether the capacity does not apply to the caller. A closed queue rejects actions by itself, and the pipeline
    /// cannot wait for room that only the pipeline can make.
    var isUnbounded: Bool { consumer.isClosed || isOnPipeline }

    /// Whether the caller runs on this pipeline's thread or queue, or on the thread of another shard's pipeline: two
    /// shards that wait for each other's room would wait for ever.
    private var isOnPipeline: Bool {
        isOwnThread || (Frames.isRunningAny && siblings.contains { Frames.isRunning($0) })
    }

    /// Whether the store is bounded and has no room now. Any thread; a few loads.
    @inlinable @inline(__always)
    var isFull: Bool { bounds?._withUnsafeGuaranteedRef { $0.room == 0 } ?? false }

    /// Returns `flags` with the addition for the caller's thread: an action that the pipeline itself dispatches must
    /// not be dropped as the oldest.
    @usableFromInline
    func ownFlags(_ flags: UInt64 = 0) -> UInt64 {
        guard dropsOldest, isOnPipeline else { return flags }
        return flags | Slot.beyondCapacity
    }

    /// Accepts an action as soon as there is room, whatever the overflow policy. Counts the action either way.
    func takeOrWait(_ dispatched: consuming DispatchedAction<Action>) -> ActionQueue<Action>.PushResult {
        var answer = Admission.Answer.free
        if let admission, admission.room == 0, !isUnbounded { answer = admission.waitForRoom() }
        if answer == .notAccepted {
            reject(1)
            return .closed
        }
        let result = push(dispatched, cause: .none, run: nil, flags: ownFlags())
        if answer == .reserved { endReservation() }
        settle(result)
        return result
    }

    /// Accepts an action if there is room. Counts the action either way.
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

    /// Accepts as many actions of a run as there is room for. The caller counts the others as rejected.
    @inlinable
    func offer(contentsOf actions: UnsafeBufferPointer<Action>, source: ActionSource) -> OfferedActions {
        if hasInternalRoom { return takeInternally(contentsOf: actions, source) }
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

    /// Whether an action may be pushed at once, without a reservation. The caller pushes it next, without suspending.
    var hasRoomNow: Bool {
        guard let admission else { return true }
        return admission.room > 0 || isUnbounded || admission.isRoomWithoutWaiting
    }
}

extension StoreCore: Backpressure {
    /// For an effect.
    @usableFromInline
    package func reserveRoom() async -> RoomReservation {
        admission?.effectBeginsToWait()
        defer { admission?.effectHasWaited() }
        return await reserveRoomFromOutside()
    }

    func reserveRoomFromOutside() async -> RoomReservation {
        guard let admission, !isUnbounded else { return .unbounded }
        // In a child of fork no room comes: a thread or a task of the parent would have to make it.
        if admission.room == 0 { queue.raw.bell.assertProcess() }
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

    /// The capacity that the store was made with.
    var capacity: StoreCapacity {
        admission.map { .bounded(Int($0.capacity), overflow: $0.overflow) } ?? .unbounded
    }

    /// Lets outputs find the room of this store. Called before the store is shared.
    @usableFromInline
    func showRoom() {
        // Unowned: the caller of the closure holds the core.
        findRoom = { [unowned(unsafe) self] _ in self }
    }
}

extension OfferResult {
    @inlinable
    init<Action>(_ result: ActionQueue<Action>.PushResult) {
        switch result {
        case .accepted, .acceptedInternally: self = .accepted
        case .closed: self = .closed
        case .outOfMemory: self = .outOfMemory
        }
    }
}
