// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import MillraceCore
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

@Suite("Bridges: subscribers, subjects, subscriptions")
struct SubscriberBridgeTests {
    private final class Asked: Subscription {
        let log: Recorder<String>
        init(_ log: Recorder<String>) { self.log = log }
        func request(_ demand: Subscribers.Demand) { log.record("asked for \(demand.max.map { "\($0)" } ?? "all")") }
        func cancel() { log.record("cancelled") }
    }

    @Test("a subscription of Combine passes on its demand through both bridges, and one of Millrace ignores it")
    func demandThroughBridges() {
        let log = Recorder<String>()
        let bridged = Asked(log).asSubscriptionType()
        let back = bridged.asCancellable()
        back.request(.max(3))
        back.request(.unlimited)
        #expect(log.all == ["asked for 3", "asked for all"])
        bridged.unsubscribe()
        #expect(log.all.last == "cancelled")
        let other = AnyCancellable { log.record("other") }.asSubscriptionType().asCancellable()
        other.request(.unlimited)
        other.cancel()
        #expect(log.all.suffix(2) == ["cancelled", "other"])
    }

    @Test("a bare subscriber of Millrace gets everything from a subject of Combine")
    func bareSubscriber() {
        let subject = PassthroughSubject<Int, Failure>()
        let log = Recorder<String>()
        subject.receive(
            subscriber: SubscriberType<Int, Failure>(
                onValue: { log.record("\($0)") },
                onCompleted: { log.record("end \($0.map { "\($0)" } ?? "")") },
                onSubscribe: { _ in log.record("subscription") }
            )
        )
        subject.send(1)
        subject.send(completion: .failure(Failure()))
        #expect(log.all == ["subscription", "1", "end Failure()"])
    }

    @Test("a subscriber of Combine as one of Millrace is introduced before its first value, and asked")
    func asSubscriberType() {
        let slow = SlowSubscriber()
        let subscriber = slow.asSubscriberType()
        subscriber.onValue(1)
        subscriber.onValue(2)
        #expect(slow.log.all == ["subscription"])
        slow.ask(5)
        subscriber.onCompleted(nil)
        #expect(slow.log.all == ["subscription", "1", "2", "end"])

        let other = SlowSubscriber()
        let subject = UnfailableSubject<Int>.native()
        _ = subject.publisher.subscribe(.combine(subscriber: other))
        other.ask(5)
        subject.subscriber.onValue(1)
        other.cancel()
        subject.subscriber.onValue(2)
        #expect(other.log.all == ["subscription", "1"])
    }

    @Test("subjects: values in, values out; a late subscriber gets the current one; willChange comes first")
    func subjects() {
        let log = Recorder<String>()
        let plain = UnfailableSubject<Int>.combine()
        let first = plain.publisher.sink { @Sendable in log.record("plain \($0)") }
        plain.subscriber.onValue(1)
        let replay = UnfailableReplayLastSubjectType<Int>.combine(
            initialValue: 5,
            willChange: { log.record("will \($0)") }
        )
        let second = replay.publisher.sink { @Sendable in log.record("replay \($0)") }
        replay.subscriber.onValue(6)
        #expect(replay.value() == 6)
        replay.mutate { $0 += 1 }
        let late = Recorder<Int>()
        let third = replay.publisher.subscribe(UnfailableSubscriberType(onValue: { late.record($0) }))
        #expect(late.all == [7])
        #expect(log.all == ["plain 1", "replay 5", "will 6", "replay 6", "will 7", "replay 7"])
        third.unsubscribe()
        withExtendedLifetime((first, second)) {}
    }

    @Test(
        "a subscriber may wait for another thread that pushes: no lock is held while it is called",
        .timeLimit(.minutes(5)),
        arguments: [false, true]
    )
    func noLockHeld(hasWillChange: Bool) async {
        let replay = UnfailableReplayLastSubjectType<Int>.combine(
            initialValue: 0,
            willChange: hasWillChange ? { @Sendable _ in } : nil
        )
        let plain = UnfailableSubject<Int>.combine()
        for subject in [SubjectType(publisher: replay.publisher, subscriber: replay.subscriber), plain] {
            let log = Recorder<Int>()
            let listening = subject.publisher.sink { @Sendable value in
                log.record(value)
                if value == 1 { onThreads(1) { _ in subject.subscriber.onValue(2) } }
            }
            // On a thread of its own, and waited for as what can be cancelled: so that a failure of this test ends.
            let (ends, end) = AsyncStream<Void>.makeStream()
            onNewThread {
                subject.subscriber.onValue(1)
                end.finish()
            }
            for await _ in ends {}
            #expect(log.all.suffix(2) == [1, 2])
            listening.cancel()
        }
        #expect(replay.value() == 2)
    }

    @Test("a store with a subject of Combine keeps its state there")
    func storeWithSubject() async {
        let subject = UnfailableReplayLastSubjectType<Int>.combine(initialValue: 1)
        let store = ReduxStoreBase(
            subject: subject,
            reducer: Reducer<Int, Int>.reduce { action, state in state += action },
            middleware: IdentityMiddleware<Int, Int, Int>()
        )
        store.dispatch(2)
        await store.drain()
        #expect(subject.value() == 3)
    }

    @Test("passing on to a subject of Combine")
    func combineSubject() {
        let target = PassthroughSubject<Int, Never>()
        let log = Recorder<Int>()
        let listening = target.sink { @Sendable in log.record($0) }
        let source = UnfailableSubject<Int>.native()
        let subscription = source.publisher.subscribe(.combine(subject: target))
        source.subscriber.onValue(1)
        target.asSubscriberType().onValue(2)
        subscription.unsubscribe()
        source.subscriber.onValue(3)
        #expect(log.all == [1, 2])
        withExtendedLifetime(listening) {}
    }

    private final class Count: SubscriptionType, Sendable {
        let ends = Shared(0)
        func unsubscribe() { ends.update { $0 += 1 } }
    }

    @Test("a subscription in both roles is unwrapped, not wrapped again; a set of cancellables ends what it keeps")
    func subscriptions() {
        let count = Count()
        let cancellable = count.asCancellable()
        #expect(cancellable.asSubscriptionType() as AnyObject === cancellable as AnyObject)
        let subscription = AnyCancellable(count.unsubscribe).asSubscriptionType()
        #expect(subscription.asCancellable() as AnyObject === subscription as AnyObject)
        var set: Set<AnyCancellable> = []
        count.cancelled(by: &set)
        set.store(subscription: count)
        #expect(count.ends.value == 0)
        set = []
        #expect(count.ends.value == 2)
    }
}
