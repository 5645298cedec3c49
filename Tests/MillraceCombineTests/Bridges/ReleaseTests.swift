// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// Values and subscribers whose end calls the subscription that they came from.
@Suite("What a subscription releases, it releases without its lock", .timeLimit(.minutes(5)))
struct ReleaseTests {
    /// Takes one value, and cancels in its `deinit`, as many subscribers do.
    private final class TakesOne: Subscriber {
        typealias Input = Int
        typealias Failure = Never
        private var subscription: (any Subscription)?
        private let end: Shared<Int>

        init(_ end: Shared<Int>) { self.end = end }

        func receive(subscription: any Subscription) {
            self.subscription = subscription
            subscription.request(.unlimited)
        }

        func receive(_ input: Int) -> Subscribers.Demand {
            subscription?.cancel()
            return .none
        }

        func receive(completion: Subscribers.Completion<Never>) {}

        deinit {
            subscription?.cancel()
            end.update { $0 += 1 }
        }
    }

    @Test("a subscriber that is released while it receives a value")
    func subscriber() {
        let end = Shared(0)
        let subject = SubjectType<Int, Never>.native()
        // The subscription has the only reference.
        subject.publisher.subscribe(TakesOne(end))
        subject.subscriber.onValue(1)
        #expect(end.value == 1)
        subject.subscriber.onValue(2)
    }

    private final class Token {
        private let end: () -> Void

        init(_ end: @escaping () -> Void) { self.end = end }

        deinit { end() }
    }

    private final class Slow: Subscriber {
        typealias Input = Token
        typealias Failure = Never
        var subscription: (any Subscription)?

        func receive(subscription: any Subscription) { self.subscription = subscription }
        func receive(_ input: Token) -> Subscribers.Demand { .none }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    @Test("values that are released when they were delivered", arguments: [1, 4])
    func values(count: Int) {
        let subject = SubjectType<Token, Never>.native()
        let slow = Slow()
        subject.publisher.subscribe(slow)
        let ends = Shared<[Int]>([])
        for number in 0..<count {
            subject.subscriber.onValue(
                Token {
                    ends.update { $0.append(number) }
                    slow.subscription?.request(.none)
                }
            )
        }
        for number in 0..<count {
            #expect(ends.value.count == number)
            slow.subscription?.request(.max(1))
        }
        #expect(ends.value == Array(0..<count))
        slow.subscription?.cancel()
    }
}
