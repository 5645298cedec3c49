// SPDX-License-Identifier: Apache-2.0

import Testing

/// Histories of stores that were written by hand: allowed ones, and beside each the nearest one that breaks a promise.
@Suite("Specification of a store")
struct StoreSpecificationTests {
    private var time = 0
    private var history: StoreHistory = []

    /// Adds a call after all that were added before.
    private mutating func then(_ thread: Int, _ call: StoreCall) {
        history.append(Operation(thread: thread, call: call, began: time + 1, ended: time + 2))
        time += 2
    }

    /// Adds calls that overlap each other, one a thread from 0.
    private mutating func atOnce(_ calls: StoreCall...) {
        for (thread, call) in calls.enumerated() {
            history.append(Operation(thread: thread, call: call, began: time + 1 + thread, ended: time + 20 + thread))
        }
        time += 40
    }

    private func isAllowed(_ order: [UInt8], _ traits: StoreTraits = StoreTraits()) -> Bool {
        HistoryRecorder.Record(history: history, order: order).check(traits) == .linearizable
    }

    @Test("one thread's actions in their order, each once")
    mutating func order() {
        then(0, .dispatch(1))
        then(0, .dispatch(2))
        #expect(isAllowed([1, 2]))
        #expect(!isAllowed([2, 1]))
        #expect(!isAllowed([1]))
        #expect(!isAllowed([1, 2, 2]))
        #expect(!isAllowed([1, 2, 3]))
    }

    @Test("a dispatch that ended before another thread's began is first")
    mutating func causalOrder() {
        then(0, .dispatch(1))
        then(1, .dispatch(2))
        #expect(!isAllowed([2, 1]))
        atOnce(.dispatch(3), .dispatch(4))
        #expect(isAllowed([1, 2, 4, 3]))
        #expect(isAllowed([1, 2, 3, 4]))
    }

    @Test("a read may be old, but no read is older than one that ended before it")
    mutating func staleReads() {
        then(0, .dispatch(1))
        then(1, .read([]))
        #expect(isAllowed([1]))
        then(1, .read([1]))
        #expect(isAllowed([1]))
        then(2, .read([]))
        #expect(!isAllowed([1]))
    }

    @Test("a read shows a state between two actions, in their order")
    mutating func readsAreStates() {
        atOnce(.dispatch(1), .dispatch(2))
        then(0, .read([2]))
        #expect(isAllowed([2, 1]))
        #expect(!isAllowed([1, 2]))
    }

    @Test("a read on demand is as new as its beginning")
    mutating func readsOnDemand() {
        let traits = StoreTraits(pace: .onDemand)
        then(0, .dispatch(1))
        atOnce(.read([1]), .dispatch(2))
        #expect(isAllowed([1, 2], traits))
        history.removeAll { $0.call == .read([1]) }
        then(0, .read([1]))
        #expect(!isAllowed([1, 2], traits))
        #expect(isAllowed([1, 2]))
    }

    @Test("a drain waits until what was dispatched before is published")
    mutating func drain() {
        then(0, .dispatch(1))
        then(1, .drain)
        then(2, .read([]))
        #expect(!isAllowed([1]))
        history.removeLast()
        then(2, .read([1]))
        #expect(isAllowed([1]))
    }

    @Test("a drain waits for children only with .internalFirst")
    mutating func children() {
        then(0, .spawn(1, child: 2))
        then(1, .drain)
        then(1, .read([1]))
        #expect(isAllowed([1, 2]))
        #expect(!isAllowed([1, 2], StoreTraits(isInternalFirst: true)))
        #expect(!isAllowed([1]))
    }

    @Test("a child goes to the tail, or with .internalFirst before what waits")
    mutating func childOrder() {
        then(0, .spawn(1, child: 2))
        then(0, .dispatch(3))
        // The store may begin 1 before or after the dispatch of 3.
        #expect(isAllowed([1, 2, 3]) && isAllowed([1, 3, 2]))
        #expect(isAllowed([1, 2, 3], StoreTraits(isInternalFirst: true)))
        #expect(!isAllowed([1, 3, 2], StoreTraits(isInternalFirst: true)))
    }

    @Test("an urgent action is overtaken by one action at most")
    mutating func urgent() {
        then(0, .dispatch(1))
        then(0, .dispatch(2))
        then(0, .urgent(9))
        then(0, .dispatch(3))
        then(0, .dispatch(4))
        for order in [[9, 1, 2, 3, 4], [1, 9, 2, 3, 4], [1, 2, 3, 9, 4]] as [[UInt8]] { #expect(isAllowed(order)) }
        // 3 and 4 were dispatched after 9.
        #expect(!isAllowed([1, 2, 3, 4, 9]))
        then(0, .urgent(8))
        #expect(!isAllowed([8, 9, 1, 2, 3, 4]))
    }

    @Test("an urgent action waits for one that is still being dispatched and has an earlier place")
    mutating func urgentBehindUnfinished() {
        history.append(Operation(thread: 1, call: .urgent(8), began: 1, ended: 50))
        time = 10
        then(0, .urgent(9))
        then(0, .dispatch(1))
        then(0, .dispatch(2))
        then(0, .read([1, 2]))
        #expect(isAllowed([1, 2, 8, 9]))
        // 9 has the earlier place: nothing holds it back.
        #expect(!isAllowed([1, 2, 9, 8]))
        time = 60
        then(0, .dispatch(3))
        then(0, .dispatch(4))
        #expect(isAllowed([1, 2, 3, 8, 9, 4]))
        // Both had returned when 3 and 4 were dispatched.
        #expect(!isAllowed([1, 2, 3, 4, 8, 9]))
    }

    @Test("a drain waits for an urgent action that was dispatched before, and for those with an earlier place")
    mutating func drainOfUrgent() {
        history.append(Operation(thread: 1, call: .urgent(8), began: 1, ended: 50))
        time = 10
        then(0, .urgent(9))
        then(0, .drain)
        then(0, .read([]))
        #expect(!isAllowed([8, 9]))
        history.removeLast()
        then(0, .read([8, 9]))
        #expect(isAllowed([8, 9]))
        history.removeLast()
        // 8 need not have a place yet.
        then(0, .read([9]))
        #expect(isAllowed([9, 8]))
    }

    @Test("an urgent action comes before the internal ones, but for one at most")
    mutating func urgentAndInternal() {
        let traits = StoreTraits(isInternalFirst: true)
        then(0, .spawn(1, child: 2))
        then(0, .spawn(3, child: 4))
        then(0, .urgent(9))
        for order in [[9, 1, 2, 3, 4], [1, 9, 2, 3, 4], [1, 2, 3, 9, 4]] as [[UInt8]] {
            #expect(isAllowed(order, traits))
        }
        let published = StoreTraits(pace: .everyAction, isInternalFirst: true)
        then(0, .read([1]))
        // When 1 was read, 2 may have been begun, and nothing after it.
        #expect(isAllowed([1, 9, 2, 3, 4], published) && isAllowed([1, 2, 9, 3, 4], published))
        #expect(!isAllowed([1, 2, 3, 9, 4], published))
    }

    @Test("after a cancel no action of the token is begun")
    mutating func cancel() {
        then(0, .emit(1, token: 0))
        then(1, .emit(2, token: 1))
        then(2, .cancel(token: 0))
        #expect(isAllowed([2]))
        #expect(isAllowed([1, 2]))
        #expect(!isAllowed([1]))
        then(0, .emit(3, token: 0))
        #expect(isAllowed([1, 2]))
        #expect(!isAllowed([1, 2, 3]))
    }

    @Test("a cancelled action was in front of the others, so these were begun after the cancel")
    mutating func cancelledInFront() {
        then(0, .emit(1, token: 0))
        then(0, .dispatch(2))
        then(1, .read([2]))
        then(2, .cancel(token: 0))
        #expect(!isAllowed([2]))
        history.removeAll { $0.call == .read([2]) }
        then(1, .read([2]))
        #expect(isAllowed([2]))
    }

    @Test("an offer is full only when the capacity waits")
    mutating func offers() {
        let traits = StoreTraits(capacity: 1)
        then(0, .offer(1, isAccepted: true))
        then(0, .offer(2, isAccepted: false))
        #expect(isAllowed([1], traits))
        then(1, .read([1]))
        #expect(isAllowed([1], traits))
        // The action that was begun last may still be in hand, but not the one before it.
        then(0, .offer(3, isAccepted: true))
        then(0, .offer(4, isAccepted: true))
        #expect(isAllowed([1, 3, 4], traits))
        #expect(!isAllowed([1, 3], traits))
        history.removeAll { [.offer(1, isAccepted: true), .read([1])].contains($0.call) }
        #expect(!isAllowed([3, 4], traits))
    }

    @Test("a dispatch takes room from its beginning, also if others are pushed before it")
    mutating func roomOfAStoppedDispatch() {
        let traits = StoreTraits(capacity: 2)
        time = 1
        then(1, .dispatch(3))
        then(1, .offer(2, isAccepted: false))
        then(1, .read([3]))
        then(1, .dispatch(4))
        #expect(!isAllowed([3, 4], traits))
        history.append(Operation(thread: 0, call: .dispatch(1), began: 1, ended: 20))
        #expect(isAllowed([3, 4, 1], traits))
        history[history.count - 1] = Operation(thread: 0, call: .dispatch(1), began: 6, ended: 20)
        #expect(!isAllowed([3, 4, 1], traits))
    }

    @Test("a full store drops the newest actions only")
    mutating func drops() {
        let traits = StoreTraits(capacity: 1)
        then(0, .dispatch(1))
        then(0, .dispatch(2))
        #expect(isAllowed([1], traits))
        #expect(!isAllowed([2], traits))
        #expect(!isAllowed([1]))
    }

    @Test("a full store that blocks drops nothing, and accepts only when there is room")
    mutating func blocks() {
        let traits = StoreTraits(pace: .everyAction, capacity: 1, blocks: true)
        then(0, .dispatch(1))
        then(0, .dispatch(2))
        #expect(isAllowed([1, 2], traits))
        #expect(!isAllowed([1], traits))
        then(0, .dispatch(3))
        then(0, .read([1]))
        #expect(isAllowed([1, 2, 3], traits))
        history.removeLast()
        // For 3, the second one was begun, so the first one was published.
        then(0, .read([]))
        #expect(!isAllowed([1, 2, 3], traits))
        history.removeLast()
        then(0, .drain)
        then(0, .read([1, 2]))
        #expect(!isAllowed([1, 2, 3], traits))
    }
}
