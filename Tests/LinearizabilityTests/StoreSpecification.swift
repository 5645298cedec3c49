// SPDX-License-Identifier: Apache-2.0

/// What the documentation of a store promises to its callers, as a sequential specification.
///
/// The state of the test stores is the list of the actions that were reduced, so a last read tells the order of all of them.
/// The specification takes this order as given: it allows a dispatch only where the order has its action next, and so needs
/// to keep only counts.
///
/// Steps of the store itself: it *looks* for urgent actions, *begins* the next action, puts what that one *spawns* into a
/// queue, and *publishes*. The promises:
/// - Actions that are dispatched, offered or sent by effects are begun in the order of the calls, each once.
/// - An urgent action is begun next, but the store may have looked for it just before: so one other action may overtake it.
///   Its dispatch first claims a place, then fills it. The store sees no place behind one that is not filled yet.
/// - A child goes to the tail, or with `.internalFirst` before what waits.
/// - A read returns what was published last: with `.everyAction` all that was finished, otherwise any earlier state, but none
///   before one that was seen. A read on demand returns at least what was dispatched before its beginning.
/// - A drain returns when all that was dispatched before is reduced and published, with `.internalFirst` also the children.
/// - After a cancel no action of the token is begun. What was begun before is finished.
/// - An offer is full only if as many actions as the capacity are not finished. It is accepted only if there was room at one
///   moment of the call. At a later one it claims a slot, which takes room, and then it is pushed: if the thread is stopped in
///   between, others are pushed before. A dispatch that finds no room is dropped, or waits until there is room.
struct StoreSpecification: SequentialSpecification {
    static let tokens = 2

    struct State: Hashable {
        /// How many actions were put into the shared queue, of those that the order has.
        var pushed: UInt8 = 0
        /// How many slots are claimed for actions that were not pushed yet, in bounded stores.
        var claimed: UInt8 = 0
        /// How many urgent actions have a place in their queue.
        var urgent: UInt8 = 0
        /// Bits: the places of the urgent queue that are filled.
        var filled: UInt32 = 0
        var internals: UInt8 = 0
        /// How many actions of the order were begun, and published.
        var begun: UInt8 = 0
        var published: UInt8 = 0
        var hasLooked = false
        /// Whether the action that was begun last has not spawned its child yet.
        var owesChild = false
        /// Bits: the tokens that were cancelled.
        var cancelled: UInt8 = 0
        /// For each token, 8 bits: `pushed` when an action was put into the queue that the order does not have; 255: none.
        var doomed: UInt16 = .max
        /// For each thread, 8 bits: how many actions of the order its drain or its read on demand waits for.
        var awaited: UInt64 = 0
        /// For each thread, 2 bits: the tokens whose doomed actions are before its barrier.
        var blocked: UInt16 = 0
    }

    private enum Lane { case shared, urgent, own }

    /// An action of the order.
    private struct Entry {
        var lane: Lane
        /// Its number in its lane.
        var index: UInt8
        var token: Int?
        var child: UInt8?
    }

    let traits: StoreTraits
    private let order: [UInt8]
    private let entries: [Entry]
    /// The place of each number in the order; -1: not in it.
    private var places = [Int](repeating: -1, count: 256)
    /// The places of the actions in the shared queue, and of those in the urgent one.
    private var shared: [Int] = []
    private var urgent: [Int] = []
    private var own: [Int] = []
    /// How many actions of the shared queue were begun, by the number of actions that were.
    private var begunShared: [UInt8] = [0]
    private var begunUrgent: [UInt8] = [0]
    private var begunOwn: [UInt8] = [0]

    let initial = State()

    /// - Returns: nil if the order alone breaks a rule: it has an action twice, or one that nobody dispatched.
    init?(_ history: StoreHistory, order: [UInt8], traits: StoreTraits) {
        var lanes = [UInt8: (lane: Lane, token: Int?, child: UInt8?)]()
        for operation in history {
            switch operation.call {
            case .dispatch(let number), .offer(let number, true): lanes[number] = (.shared, nil, nil)
            case .urgent(let number): lanes[number] = (.urgent, nil, nil)
            case .emit(let number, let token): lanes[number] = (.shared, token, nil)
            case .spawn(let number, let child):
                lanes[number] = (.shared, nil, child)
                lanes[child] = (traits.isInternalFirst ? .own : .shared, nil, nil)
            case .offer(_, false), .cancel, .read, .drain: break
            }
        }
        self.traits = traits
        self.order = order
        var entries: [Entry] = []
        for (place, number) in order.enumerated() {
            guard let action = lanes[number], places[Int(number)] < 0 else { return nil }
            places[Int(number)] = place
            let index: Int
            switch action.lane {
            case .shared: (index, shared) = (shared.count, shared + [place])
            case .urgent: (index, urgent) = (urgent.count, urgent + [place])
            case .own: (index, own) = (own.count, own + [place])
            }
            entries.append(Entry(lane: action.lane, index: UInt8(index), token: action.token, child: action.child))
            begunShared.append(UInt8(shared.count))
            begunUrgent.append(UInt8(urgent.count))
            begunOwn.append(UInt8(own.count))
        }
        self.entries = entries
    }

    func parts(of call: StoreCall) -> Int {
        switch call {
        case .drain: 2
        case .read: traits.pace == .onDemand ? 2 : 1
        // The claim of a place, then the action in it.
        case .urgent: 2
        // The look for room, the claim, then the push; a dispatch may be dropped at the look.
        case .offer(_, isAccepted: true): traits.capacity == nil ? 1 : 3
        case .dispatch(let number): traits.capacity != nil && places[Int(number)] >= 0 ? 3 : 1
        default: 1
        }
    }

    func isFinal(_ state: State) -> Bool {
        Int(state.begun) == order.count && !state.owesChild && state.doomed == .max
    }
}

// MARK: - Calls

extension StoreSpecification {
    func apply(_ call: StoreCall, part: Int, thread: Int, to state: State) -> State? {
        switch call {
        case .dispatch(let number):
            if traits.capacity == nil { return push(number, state) }
            if places[Int(number)] < 0 { return isFull(state) && !traits.blocks ? state : nil }
            return pushToBounded(number, part, state)
        case .offer(_, isAccepted: false):
            return isFull(state) ? state : nil
        case .offer(let number, isAccepted: true):
            if traits.capacity == nil { return push(number, state) }
            return pushToBounded(number, part, state)
        case .spawn(let number, _):
            return push(number, state)
        case .urgent(let number):
            return part == 0 ? claimUrgent(number, state) : fillUrgent(number, state)
        case .emit(let number, let token): return emit(number, token, state)
        case .cancel(let token): return cancel(token, state)
        case .drain: return part == 0 ? beginBarrier(thread, state) : endBarrier(thread, state, withChildren: true)
        case .read(let seen):
            guard seen.count <= order.count, seen.elementsEqual(order[..<seen.count]) else { return nil }
            if traits.pace == .onDemand {
                if part == 0 { return beginBarrier(thread, state) }
                guard Int(state.published) == seen.count else { return nil }
                return endBarrier(thread, state, withChildren: false)
            }
            return Int(state.published) == seen.count ? state : nil
        }
    }

    private func isNext(_ number: UInt8, in lane: [Int], _ count: UInt8) -> Bool {
        Int(count) < lane.count && lane[Int(count)] == places[Int(number)]
    }

    private func push(_ number: UInt8, _ state: State) -> State? {
        guard isNext(number, in: shared, state.pushed) else { return nil }
        var next = state
        next.pushed += 1
        return next
    }

    private func pushToBounded(_ number: UInt8, _ part: Int, _ state: State) -> State? {
        var next = state
        switch part {
        case 0: return hasRoom(state) ? state : nil
        case 1:
            next.claimed += 1
            return next
        default:
            next.claimed -= 1
            return push(number, next)
        }
    }

    private func claimUrgent(_ number: UInt8, _ state: State) -> State? {
        guard isNext(number, in: urgent, state.urgent) else { return nil }
        var next = state
        next.urgent += 1
        return next
    }

    private func fillUrgent(_ number: UInt8, _ state: State) -> State? {
        var next = state
        next.filled |= 1 << UInt32(entries[places[Int(number)]].index)
        return next
    }

    /// How many urgent actions the store can see.
    private func visibleUrgent(_ state: State) -> Int { (~state.filled).trailingZeroBitCount }

    private func emit(_ number: UInt8, _ token: Int, _ state: State) -> State? {
        let isCancelled = state.cancelled >> UInt8(token) & 1 == 1
        if places[Int(number)] >= 0 { return isCancelled ? nil : push(number, state) }
        // Ignored, or in the queue until a cancel.
        if isCancelled { return state }
        var next = state
        if doomed(token, state) == 255 { next.setDoomed(token, state.pushed) }
        return next
    }

    private func cancel(_ token: Int, _ state: State) -> State? {
        // What is in the order and in the queue must have been begun.
        for place in shared[..<Int(state.pushed)] where place >= Int(state.begun) && entries[place].token == token {
            return nil
        }
        var next = state
        next.cancelled |= 1 << UInt8(token)
        next.setDoomed(token, 255)
        return next
    }

    private func doomed(_ token: Int, _ state: State) -> UInt8 {
        UInt8(truncatingIfNeeded: state.doomed >> (8 * UInt16(token)))
    }

    private func beginBarrier(_ thread: Int, _ state: State) -> State {
        var last = -1
        if state.pushed > 0 { last = shared[Int(state.pushed) - 1] }
        if state.urgent > 0 { last = max(last, urgent[Int(state.urgent) - 1]) }
        if state.internals > 0 { last = max(last, own[Int(state.internals) - 1]) }
        var next = state
        next.awaited &= ~(255 << (8 * UInt64(thread)))
        next.awaited |= UInt64(last + 1) << (8 * UInt64(thread))
        for token in 0..<Self.tokens where doomed(token, state) < 255 {
            next.blocked |= 1 << UInt16(2 * thread + token)
        }
        return next
    }

    private func endBarrier(_ thread: Int, _ state: State, withChildren: Bool) -> State? {
        var awaited = Int(state.awaited >> (8 * UInt64(thread)) & 255)
        if withChildren && traits.isInternalFirst {
            for place in 0..<awaited {
                guard let child = entries[place].child else { continue }
                awaited = max(awaited, places[Int(child)] + 1)
            }
        }
        let blocked = UInt8(state.blocked >> UInt16(2 * thread) & 3)
        guard Int(state.published) >= awaited, blocked & ~state.cancelled == 0 else { return nil }
        var next = state
        next.awaited &= ~(255 << (8 * UInt64(thread)))
        next.blocked &= ~(3 << UInt16(2 * thread))
        return next
    }

    /// Whether there is room if what was begun counts as finished.
    private func hasRoom(_ state: State) -> Bool {
        Int(state.pushed) + Int(state.claimed) - Int(begunShared[Int(state.begun)]) < traits.capacity ?? .max
    }

    /// Whether there is no room if the action that was begun last still counts.
    private func isFull(_ state: State) -> Bool {
        let begun = Int(begunShared[Int(state.begun)])
        let isInHand = state.begun > 0 && entries[Int(state.begun) - 1].lane == .shared
        return Int(state.pushed) + Int(state.claimed) - begun + (isInHand ? 1 : 0) >= traits.capacity ?? .max
    }
}

// MARK: - Steps of the store

extension StoreSpecification {
    func ownSteps(from state: State, _ body: (State) -> Void) {
        if state.published < state.begun {
            var next = state
            next.published = state.begun
            body(next)
            // Before the IOs of the action.
            if traits.pace == .everyAction { return }
        }
        if state.owesChild {
            if let next = spawn(state) { body(next) }
            return
        }
        let hasUrgent = visibleUrgent(state) > begunUrgent[Int(state.begun)]
        if !state.hasLooked && !hasUrgent {
            var next = state
            next.hasLooked = true
            body(next)
        }
        if Int(state.begun) < order.count, mayBegin(entries[Int(state.begun)], state, hasUrgent) {
            var next = state
            next.begun += 1
            next.hasLooked = false
            next.owesChild = entries[Int(state.begun)].child != nil
            body(next)
        }
    }

    private func spawn(_ state: State) -> State? {
        guard let child = entries[Int(state.begun) - 1].child else { return nil }
        var next = state
        next.owesChild = false
        if traits.isInternalFirst {
            guard isNext(child, in: own, state.internals) else { return nil }
            next.internals += 1
        } else {
            guard isNext(child, in: shared, state.pushed) else { return nil }
            next.pushed += 1
        }
        return next
    }

    private func mayBegin(_ entry: Entry, _ state: State, _ hasUrgent: Bool) -> Bool {
        switch entry.lane {
        case .urgent: return entry.index < visibleUrgent(state)
        case .own: return entry.index < state.internals && state.hasLooked
        case .shared:
            guard entry.index < state.pushed, state.hasLooked, state.internals == begunOwn[Int(state.begun)] else {
                return false
            }
            // Not before one that comes earlier in the queue and is never begun.
            return (0..<Self.tokens).allSatisfy { entry.index < doomed($0, state) || doomed($0, state) == 255 }
        }
    }
}

extension StoreSpecification.State {
    mutating func setDoomed(_ token: Int, _ pushed: UInt8) {
        doomed &= ~(255 << (8 * UInt16(token)))
        doomed |= UInt16(pushed) << (8 * UInt16(token))
    }
}
