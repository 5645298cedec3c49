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

@Suite("Bridges: publishers")
struct PublisherBridgeTests {
    @Test("a publisher of Combine as one of Millrace: values, good and bad end")
    func asPublisherType() {
        let log = Recorder<String>()
        func subscriber<E: Error>(_: E.Type) -> SubscriberType<Int, E> {
            SubscriberType(
                onValue: { log.record("\($0)") },
                onCompleted: { log.record("end \($0.map { "\($0)" } ?? "")") }
            )
        }
        _ = [1, 2].publisher.asPublisherType().subscribe(subscriber(Never.self))
        _ = Fail<Int, Failure>(error: Failure()).asPublisherType().subscribe(subscriber(Failure.self))
        #expect(log.all == ["1", "2", "end ", "end Failure()"])
    }

    @Test("unsubscribe works, by what subscribe returns and by what onSubscribe is given")
    func unsubscribe() {
        let subject = PassthroughSubject<Int, Never>()
        let publisher = subject.asPublisherType()
        let log = Recorder<Int>()
        var given: [any SubscriptionType] = []
        let returned = publisher.subscribe(UnfailableSubscriberType(onValue: { log.record($0) }))
        let kept = Shared<[Kept]>([])
        _ = publisher.subscribe(
            UnfailableSubscriberType(
                onValue: { log.record($0 * 10) },
                onSubscribe: { subscription in kept.update { $0.append(Kept(value: subscription)) } }
            )
        )
        given = kept.value.map(\.value)
        subject.send(1)
        returned.unsubscribe()
        subject.send(2)
        given[0].unsubscribe()
        given[0].unsubscribe()
        subject.send(3)
        #expect(log.all.sorted() == [1, 10, 20])
    }

    struct Kept: @unchecked Sendable {
        // Unchecked: a subscription may be ended on any thread.
        let value: any SubscriptionType
    }

    @Test("a publisher of Millrace as one of Combine: operators, cancel, end")
    func publisher() {
        let subject = UnfailableSubject<Int>.native()
        let log = Recorder<String>()
        let cancellable = subject.publisher.filter { $0 > 1 }.map(String.init)
            .sink(receiveCompletion: { _ in log.record("end") }, receiveValue: { log.record($0) })
        for n in 1...3 { subject.subscriber.onValue(n) }
        cancellable.cancel()
        subject.subscriber.onValue(4)
        #expect(log.all == ["2", "3"])
        let other = subject.publisher.sink(
            receiveCompletion: { _ in log.record("end") },
            receiveValue: { log.record("\($0)") }
        )
        subject.subscriber.onValue(5)
        subject.subscriber.onCompleted(nil)
        withExtendedLifetime(other) {}
        #expect(log.all == ["2", "3", "5", "end"])
    }

    @Test("what a subscriber did not ask for waits for it, the end, too")
    func demand() {
        let subject = UnfailableSubject<Int>.native()
        let slow = SlowSubscriber()
        subject.publisher.receive(subscriber: slow)
        for n in 1...4 { subject.subscriber.onValue(n) }
        #expect(slow.log.all == ["subscription"])
        slow.ask(1)
        slow.ask(2)
        #expect(slow.log.all == ["subscription", "1", "2", "3"])
        subject.subscriber.onCompleted(nil)
        #expect(slow.log.count == 4)
        slow.ask(1)
        #expect(slow.log.all.suffix(2) == ["4", "end"])
        slow.cancel()
    }

    @Test("a subscriber that pushes while it is called gets that next; four threads lose and double nothing")
    func reentrancyAndThreads() {
        let subject = UnfailableSubject<Int>.native()
        let log = Recorder<Int>()
        let cancellable = subject.publisher.sink { @Sendable value in
            log.record(value)
            if value < 0, value > -3 { subject.subscriber.onValue(value - 1) }
        }
        subject.subscriber.onValue(-1)
        #expect(log.all == [-1, -2, -3])
        log.clear()
        let each = 2_000
        onThreads(4) { thread in
            for n in 0..<each { subject.subscriber.onValue(thread * each + n) }
        }
        let all = log.all
        #expect(all.sorted() == Array(0..<4 * each))
        for thread in 0..<4 {
            #expect(all.filter { $0 / each == thread } == Array(thread * each..<(thread + 1) * each))
        }
        withExtendedLifetime(cancellable) {}
    }

    @Test("lift makes a function on values one on publishers; a publisher that is one already is itself")
    func lift() {
        let log = Recorder<String>()
        let lifted = UnfailablePublisherType<String>.lift { (n: Int) in "\(n)" }
        let subscription = lifted([1, 2].publisher.asPublisherType().asPublisherType())
            .subscribe(UnfailableSubscriberType(onValue: { log.record($0) }))
        subscription.unsubscribe()
        #expect(log.all == ["1", "2"])
    }
}
