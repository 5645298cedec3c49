// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("Native subjects")
struct NativeSubjectTests {
    private typealias Subject = UnfailableReplayLastSubjectType<Int>

    struct Failure: Error {}

    /// Lets a test see when its closure is let go.
    private final class Token: Sendable {}

    private let log = Recorder<String>()

    private func logging(_ name: String = "") -> UnfailableSubscriberType<Int> {
        UnfailableSubscriberType(
            onValue: { [log] in log.record("\(name)\($0)") },
            onCompleted: { [log] _ in log.record("\(name)end") }
        )
    }

    @Test("a new subscriber is given the current value before subscribe returns, then every value")
    func replay() {
        let subject = Subject.native(initialValue: 1)
        subject.subscriber.onValue(2)
        let subscription = subject.publisher.subscribe(logging())
        #expect(log.all == ["2"])
        subject.subscriber.onValue(3)
        subject.mutate { $0 += 1 }
        #expect(log.all == ["2", "3", "4"])
        #expect(subject.value() == 4)
        subscription.unsubscribe()
        subscription.unsubscribe()
        subject.subscriber.onValue(5)
        #expect(log.count == 3)
        #expect(subject.value() == 5)
    }

    @Test("a passthrough subject gives a new subscriber nothing")
    func passthrough() {
        let subject = UnfailableSubject<Int>.native()
        subject.subscriber.onValue(1)
        let subscription = subject.publisher.subscribe(logging())
        subject.subscriber.onValue(2)
        subscription.unsubscribe()
        subject.subscriber.onValue(3)
        #expect(log.all == ["2"])
    }

    @Test("every subscriber is told, in the order of subscription")
    func several() {
        let subject = UnfailableSubject<Int>.native()
        let subscriptions = ["a", "b", "c"].map { subject.publisher.subscribe(logging($0)) }
        subject.subscriber.onValue(1)
        subscriptions[1].unsubscribe()
        subject.subscriber.onValue(2)
        #expect(log.all == ["a1", "b1", "c1", "a2", "c2"])
    }

    @Test("the subscription is given before the first value, and may be ended there")
    func onSubscribe() {
        let subject = Subject.native(initialValue: 1)
        let subscriber = UnfailableSubscriberType<Int>(
            onValue: { [log] in log.record("\($0)") },
            onSubscribe: { [log] in
                log.record("subscribe")
                $0.unsubscribe()
            }
        )
        _ = subject.publisher.subscribe(subscriber)
        subject.subscriber.onValue(2)
        #expect(log.all == ["subscribe"])
    }

    @Test("what a subscriber pushes comes after what it is being told", arguments: [1, 2])
    func reentrantPush(subscribers: Int) {
        let subject = Subject.native(initialValue: 0)
        let subscriptions = (0..<subscribers).map { name in
            subject.publisher.subscribe(
                UnfailableSubscriberType(onValue: { [log] value in
                    log.record("\(name) begins \(value)")
                    if name == 0, value < 3 { subject.subscriber.onValue(value + 1) }
                    log.record("\(name) ends \(value)")
                })
            )
        }
        defer { for subscription in subscriptions { subscription.unsubscribe() } }
        for name in 0..<subscribers {
            let told = log.all.filter { $0.hasPrefix("\(name)") }
            let first = name == 0 ? 0 : 3
            #expect(told == (first...3).flatMap { ["\(name) begins \($0)", "\(name) ends \($0)"] })
        }
    }

    @Test("a subscriber that ends its own subscription is not called again")
    func endsItself() {
        let subject = Subject.native(initialValue: 0)
        // Only this thread touches it.
        nonisolated(unsafe) var own: (any SubscriptionType)?
        _ = subject.publisher.subscribe(
            UnfailableSubscriberType(
                onValue: { [log] value in
                    log.record("\(value)")
                    guard value == 1 else { return }
                    subject.subscriber.onValue(2)
                    own?.unsubscribe()
                },
                onSubscribe: { own = $0 }
            )
        )
        subject.subscriber.onValue(1)
        subject.subscriber.onValue(3)
        #expect(log.all == ["0", "1"])
    }

    @Test("after a completion values are ignored, and new subscribers are told the end")
    func completion() {
        let subject = Subject.native(initialValue: 1)
        _ = subject.publisher.subscribe(logging("a"))
        subject.subscriber.onCompleted(nil)
        subject.subscriber.onCompleted(nil)
        subject.subscriber.onValue(2)
        #expect(
            subject.mutate {
                $0 += 7; return $0
            } == 8
        )
        _ = subject.publisher.subscribe(logging("b"))
        #expect(log.all == ["a1", "aend", "bend"])
        #expect(subject.value() == 1)
    }

    @Test("an error reaches the subscribers")
    func error() {
        let subject = SubjectType<Int, Failure>.native()
        _ = subject.publisher.subscribe(
            SubscriberType(onCompleted: { [log] in log.record($0 == nil ? "good" : "bad") })
        )
        subject.subscriber.onCompleted(Failure())
        #expect(log.all == ["bad"])
    }

    @Test("mutate changes the value where it is: an array is not copied")
    func mutateInPlace() {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: Array(repeating: 0, count: 1000))
        _ = subject.publisher.subscribe(UnfailableSubscriberType(onValue: { _ in }))
        func address() -> UInt {
            subject.mutate { array in array.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } }
        }
        subject.mutate { $0[0] = 1 }
        let before = address()
        for index in 0..<1000 { subject.mutate { $0[index] += 1 } }
        #expect(address() == before)
        #expect(subject.value()[1] == 1)
    }

    @Test("mutate(when:) keeps the value when the condition is not met, and returns the result")
    func mutateWhen() {
        let subject = Subject.native(initialValue: 1)
        _ = subject.publisher.subscribe(logging())
        #expect(
            subject.mutate(
                when: { $0 },
                action: {
                    $0 = 2; return false
                }
            ) == false
        )
        #expect(subject.value() == 1)
        #expect(
            subject.mutate(
                when: { $0 },
                action: {
                    $0 = 3; return true
                }
            )
        )
        #expect(subject.value() == 3)
        #expect(log.all == ["1", "3"])
    }

    @Test("a subject used inside its own mutate stops the program, and says why")
    func useInsideMutate() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let subject = UnfailableReplayLastSubjectType.native(initialValue: 1)
            subject.mutate { $0 = subject.value() }
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("inside its own `mutate`"))
    }

    @Test("ending a subscription lets go what the subscriber holds; so does letting go the subject")
    func release() {
        var subject: Subject? = .native(initialValue: 1)
        weak var ended: Token?
        weak var kept: Token?
        func subscribe(_ token: Token) -> (any SubscriptionType)? {
            subject?.publisher.subscribe(UnfailableSubscriberType(onValue: { _ in withExtendedLifetime(token) {} }))
        }
        var first: (any SubscriptionType)?
        do {
            let (one, two) = (Token(), Token())
            (ended, kept) = (one, two)
            first = subscribe(one)
            _ = subscribe(two)
        }
        #expect(ended != nil && kept != nil)
        first?.unsubscribe()
        #expect(ended == nil && kept != nil)
        subject = nil
        #expect(kept == nil)
        first?.unsubscribe()
        first = nil
    }

    @Test("a value whose destructor uses the subject does not stand in its way")
    func destructors() {
        final class Probe: Sendable {
            let onEnd: @Sendable () -> Void
            init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }
        let other = Subject.native(initialValue: 0)
        let box = Shared<[UnfailableReplayLastSubjectType<Probe?>]>([])
        let subject = UnfailableReplayLastSubjectType<Probe?>.native(initialValue: nil)
        box.value = [subject]
        for _ in 0..<3 {
            subject.subscriber.onValue(
                Probe {
                    _ = box.value.first?.value(); other.mutate { $0 += 1 }
                }
            )
        }
        #expect(other.value() == 2)
        box.value = []
    }

    @Test("the others are told in the order of subscription, whoever left, also while it was told")
    func leaving() {
        let subject = UnfailableReplayLastSubjectType.native(initialValue: 0)
        let told = Recorder<Int>()
        let all = Shared<[@Sendable () -> Void]>([])
        for number in 0..<20 {
            // Unsafe: a native subject's may be ended on any thread.
            nonisolated(unsafe) let subscription = subject.publisher.subscribe(
                UnfailableSubscriberType(onValue: { value in
                    told.record(number)
                    // It leaves, with one before it and one after it, which the value has reached already.
                    if value == 1, number == 9 { for index in [9, 5, 12] { all.value[index]() } }
                })
            )
            all.update { $0.append { subscription.unsubscribe() } }
        }
        for index in [0, 3, 19, 3] { all.value[index]() }
        func push(_ value: Int) -> [Int] {
            told.clear()
            subject.subscriber.onValue(value)
            return told.all
        }
        #expect(push(1) == [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 18])
        #expect(push(2) == [1, 2, 4, 6, 7, 8, 10, 11, 13, 14, 15, 16, 17, 18])
        for leave in all.value.dropFirst(2) { leave() }
        #expect(push(3) == [1])
        all.value[1]()
        #expect(push(4) == [])
    }
}
