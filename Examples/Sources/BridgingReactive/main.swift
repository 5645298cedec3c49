// SPDX-License-Identifier: Apache-2.0

// The code of the article "Bridging another reactive library", block by block; the library is in Brook.swift.
import Foundation
import Millrace

/// Stops a listener. `unsubscribe()` may be called before the listener is added.
final class BrookSubscription: SubscriptionType, @unchecked Sendable {
    // Unchecked because the lock guards what changes.
    private let lock = NSLock()
    private var isEnded = false
    private var listening: Listening?

    func begin(_ listen: () -> Listening) {
        if lock.withLock({ isEnded }) { return }
        let begun = listen()
        lock.withLock { listening = begun }
        if lock.withLock({ isEnded }) { begun.stop() }
    }

    func unsubscribe() {
        lock.withLock { isEnded = true }
        lock.withLock { listening }?.stop()
    }
}

extension Brook {
    /// Returns the values of this brook as a publisher of Millrace.
    func asPublisherType() -> UnfailablePublisherType<Value> {
        UnfailablePublisherType { subscriber in
            let subscription = BrookSubscription()
            subscriber.onSubscribe(subscription)
            subscription.begin { self.listen(subscriber.onValue) }
            return subscription
        }
    }
}

extension SubscriberType {
    /// Returns a subscriber that emits each value into a brook.
    static func brook(_ brook: Brook<Element>) -> SubscriberType where Element: Sendable {
        SubscriberType(onValue: { brook.emit($0) })
    }
}

extension ReplayLastSubjectType where Element: Sendable, ErrorType == Never {
    /// Returns a subject that keeps its value in a brook.
    static func brook(_ brook: Brook<Element>) -> ReplayLastSubjectType {
        ReplayLastSubjectType(
            publisher: brook.asPublisherType(),
            subscriber: .brook(brook),
            value: { brook.current }
        )
    }
}

let brook = Brook(0)
let store = ReduxStoreBase(
    subject: .brook(brook),
    reducer: Reducer<Int, Int>.reduce { number, sum in sum += number },
    middleware: IdentityMiddleware<Int, Int, Int>()
)
let listening = brook.listen { sum in print("the sum is \(sum)") }

await MainActor.run {
    store.dispatch(2)
    store.dispatch(3)
}
print(brook.current)  // 5
listening.stop()

let source = ReduxStoreBase(
    initialState: 0,
    reducer: Reducer<Int, Int>.reduce { number, sum in sum += number },
    engine: .thread(name: "source")
)
let sums = Brook(0)
let subscription = source.statePublisher.subscribe(.brook(sums))
source.dispatch(7)
await source.drain()
print(sums.current)  // 7
subscription.unsubscribe()

// For continuous integration: it is as the article says.
if brook.current != 5 || sums.current != 7 {
    print("That is not what the article says.")
    exit(EXIT_FAILURE)
}
