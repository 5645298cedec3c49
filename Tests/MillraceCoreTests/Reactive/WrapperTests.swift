// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private struct Failure: Error, Equatable {}

private struct Ending: SubscriptionType {
    let end: @Sendable () -> Void
    func unsubscribe() { end() }
}

/// A publisher that tells everything at once, and how it was subscribed.
private func publishing<E: Error>(
    _ values: [Int],
    _ error: E?,
    _ log: Recorder<String>
) -> PublisherType<Int, E> {
    PublisherType { subscriber in
        let ending = Ending { log.record("unsubscribe") }
        subscriber.onSubscribe(ending)
        for value in values { subscriber.onValue(value) }
        subscriber.onCompleted(error)
        return ending
    }
}

@Suite("Reactive wrappers")
struct WrapperTests {
    private let log = Recorder<String>()

    private func logging<E: Error>(_ type: E.Type) -> SubscriberType<Int, E> {
        SubscriberType(
            onValue: { [log] in log.record("\($0)") },
            onCompleted: { [log] in log.record("end \($0.map { "\($0)" } ?? "nil")") },
            onSubscribe: { [log] _ in log.record("subscribe") }
        )
    }

    @Test("closures that are left out do nothing: a subscription is neither ended nor kept")
    func omitted() {
        let alive = Shared(true)
        do {
            let witness = Witness { alive.value = false }
            let ending = Ending { [log] in withExtendedLifetime(witness) { log.record("unsubscribe") } }
            let subscriber = SubscriberType<Int, Failure>(onCompleted: { [log] in log.record("\($0 as Any)") })
            subscriber.onSubscribe(ending)
            subscriber.onValue(1)
            #expect(log.all == [])
            let values = SubscriberType<Int, Failure>(onValue: { [log] in log.record("\($0)") })
            values.onSubscribe(ending)
            values.onCompleted(Failure())
            #expect(log.all == [])
        }
        #expect(!alive.value)
    }

    /// Tells when it goes.
    private final class Witness: Sendable {
        let onEnd: @Sendable () -> Void
        init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
        deinit { onEnd() }
    }

    @Test("a subscriber for publishers that cannot fail is told a good end")
    func assertNoFailureOfSubscriber() {
        let subscriber = logging(Failure.self).assertNoFailure()
        subscriber.onSubscribe(Ending {})
        subscriber.onValue(1)
        subscriber.onCompleted(nil)
        #expect(log.all == ["subscribe", "1", "end nil"])
    }

    @Test("a publisher that is said not to fail passes everything on")
    func assertNoFailureOfPublisher() {
        let publisher = publishing([1, 2], Failure?.none, log).assertNoFailure()
        publisher.subscribe(logging(Never.self)).unsubscribe()
        #expect(log.all == ["subscribe", "1", "2", "end nil", "unsubscribe"])
    }

    @Test("a publisher that is said not to fail, and does, stops the program")
    func assertNoFailureStops() async {
        await #expect(processExitsWith: .failure) {
            let publisher = publishing([], Failure(), Recorder()).assertNoFailure()
            _ = publisher.subscribe(UnfailableSubscriberType())
        }
    }

    @Test("map changes the values, and nothing else")
    func map() {
        let publisher = publishing([1, 2], Failure(), log).map { $0 * 10 }
        publisher.subscribe(logging(Failure.self)).unsubscribe()
        #expect(log.all == ["subscribe", "10", "20", "end Failure()", "unsubscribe"])
    }

    @Test("a subscription puts itself into a collection, also into one whose type is hidden")
    func collections() {
        var array: [any SubscriptionType] = []
        Ending { [log] in log.record("first") }.cancelled(by: &array)
        (Ending { [log] in log.record("second") } as any SubscriptionType).cancelled(by: &array)
        for subscription in array { subscription.unsubscribe() }
        var hidden: any SubscriptionCollection = array
        Ending {}.cancelled(by: &hidden)
        #expect((hidden as? [any SubscriptionType])?.count == 3)
        #expect(log.all == ["first", "second"])
    }

    /// A subject of a library that can only replace its value.
    private func replacing(_ value: Shared<[Int]>) -> UnfailableReplayLastSubjectType<[Int]> {
        UnfailableReplayLastSubjectType(
            publisher: PublisherType { _ in Ending {} },
            subscriber: SubscriberType(onValue: { [log] in
                log.record("pushed \($0)")
                value.value = $0
            }),
            value: { value.value }
        )
    }

    @Test("mutate without a way to do so in place pushes a changed copy")
    func mutateByCopy() {
        let value = Shared([1])
        let subject = replacing(value)
        let result = subject.mutate { array in
            array.append(2)
            #expect(value.value == [1])
            return array.count
        }
        #expect(result == 2)
        #expect(log.all == ["pushed [1, 2]"])
    }

    @Test("mutate(when:) pushes nothing and returns the result when the condition is not met")
    func mutateWhenByCopy() {
        let value = Shared([1])
        let subject = replacing(value)
        #expect(
            subject.mutate(
                when: { $0 > 2 },
                action: {
                    $0.append(2); return $0.count
                }
            ) == 2
        )
        #expect(log.all == [])
        #expect(
            subject.mutate(
                when: { $0 > 1 },
                action: {
                    $0.append(2); return $0.count
                }
            ) == 2
        )
        #expect(value.value == [1, 2])
    }
}
