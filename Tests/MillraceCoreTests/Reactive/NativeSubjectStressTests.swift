// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore
import Synchronization
import TestSupport
import Testing

/// Many threads push, subscribe and unsubscribe at once.
@Suite("Native subjects under load", .timeLimit(.minutes(5)))
struct NativeSubjectStressTests {
    /// What one subscriber was told; only one thread at a time may call it, which is part of what is tested.
    private final class Listener: Sendable {
        let isInside = Atomic(false)
        let isEnded = Atomic(false)
        let last = Atomic(-1)
        let calls = Atomic(0)
        let faults = Recorder<String>()
        let callsAfterEnd = Atomic(0)

        func take(_ value: Int) {
            if isInside.exchange(true, ordering: .acquiring) { faults.record("two calls at once") }
            if isEnded.load(ordering: .sequentiallyConsistent) { callsAfterEnd.add(1, ordering: .relaxed) }
            let before = last.exchange(value, ordering: .relaxed)
            if value < before { faults.record("\(value) after \(before)") }
            calls.add(1, ordering: .relaxed)
            isInside.store(false, ordering: .releasing)
        }

        var subscriber: UnfailableSubscriberType<Int> { UnfailableSubscriberType(onValue: { self.take($0) }) }
    }

    @Test("each subscriber sees every value from its first on, in order, whoever pushes", arguments: [1, 3])
    func order(subscribers: Int) {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: 0)
        let listeners = (0..<subscribers).map { _ in Listener() }
        for listener in listeners { _ = subject.publisher.subscribe(listener.subscriber) }
        let each = 5_000
        onThreads(4) { _ in
            for _ in 0..<each { subject.mutate { $0 += 1 } }
        }
        #expect(subject.value() == 4 * each)
        for listener in listeners {
            #expect(listener.faults.all == [])
            #expect(listener.calls.load(ordering: .relaxed) == 4 * each + 1)
            #expect(listener.last.load(ordering: .relaxed) == 4 * each)
        }
    }

    @Test("a subscriber that comes in between is told the current value first, then no older one")
    func lateSubscribers() {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: 0)
        let isDone = Atomic(false)
        let faults = Recorder<String>()
        let missing = Atomic(0)
        onThreads(4) { thread in
            if thread == 0 {
                for _ in 0..<20_000 { subject.mutate { $0 += 1 } }
                isDone.store(true, ordering: .releasing)
                return
            }
            while !isDone.load(ordering: .acquiring) {
                let listener = Listener()
                let floor = subject.value()
                let subscription = subject.publisher.subscribe(listener.subscriber)
                if listener.calls.load(ordering: .relaxed) == 0 { missing.add(1, ordering: .relaxed) }
                if listener.last.load(ordering: .relaxed) < floor { faults.record("older than \(floor)") }
                subscription.unsubscribe()
                for fault in listener.faults.all { faults.record(fault) }
            }
        }
        #expect(faults.all == [])
        #expect(missing.load(ordering: .relaxed) == 0)
    }

    @Test("after unsubscribe at most the call that is under way")
    func unsubscribe() {
        let subject = UnfailableSubject<Int>.native()
        let isDone = Atomic(false)
        let faults = Recorder<String>()
        let number = Atomic(0)
        onThreads(4) { thread in
            if thread < 2 {
                while !isDone.load(ordering: .acquiring) {
                    subject.subscriber.onValue(0)
                    // The lock is not fair: let the others have it.
                    sched_yield()
                }
                return
            }
            for _ in 0..<500 {
                let listener = Listener()
                let subscription = subject.publisher.subscribe(listener.subscriber)
                while listener.calls.load(ordering: .relaxed) == 0 { sched_yield() }
                subscription.unsubscribe()
                listener.isEnded.store(true, ordering: .sequentiallyConsistent)
                subject.subscriber.onValue(0)
                let late = listener.callsAfterEnd.load(ordering: .relaxed)
                if late > 1 { faults.record("\(late) calls") }
                for fault in listener.faults.all { faults.record(fault) }
            }
            if number.add(1, ordering: .acquiringAndReleasing).newValue == 2 {
                isDone.store(true, ordering: .releasing)
            }
        }
        #expect(faults.all == [])
    }

    @Test("many come and leave while values are pushed: those that stay see every value, in order")
    func comingAndLeaving() {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: 0)
        let staying = (0..<3).map { _ in Listener() }
        /// One that comes; returns what ends its subscription.
        @Sendable func come() -> @Sendable () -> Void {
            // Unsafe: a native subject's may be ended on any thread.
            nonisolated(unsafe) let subscription = subject.publisher.subscribe(Listener().subscriber)
            return { subscription.unsubscribe() }
        }
        let leaving = Shared<[@Sendable () -> Void]>([])
        // Those that leave stand between those that stay.
        for listener in staying {
            for _ in 0..<100 { leaving.update { $0.append(come()) } }
            _ = subject.publisher.subscribe(listener.subscriber)
        }
        onThreads(4) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for _ in 0..<500 {
                subject.mutate { $0 += 1 }
                let new = come()
                let index = Int.random(in: 0..<300, using: &random)
                let leave = leaving.update { all in
                    all.append(new)
                    return all.remove(at: index)
                }
                leave()
                leave()
            }
        }
        for leave in leaving.value { leave() }
        subject.mutate { $0 += 1 }
        for listener in staying {
            #expect(listener.faults.all == [])
            #expect(listener.calls.load(ordering: .relaxed) == 2_002)
        }
    }
}
