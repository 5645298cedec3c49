// SPDX-License-Identifier: Apache-2.0

// The code of the article "Bridging another reactive library", block by block; the library is in Brook.swift.
import Millrace

extension Listening: SubscriptionType {
    func unsubscribe() { stop() }
}

extension Brook {
    /// The values of a brook, for whoever knows Millrace's types only.
    func asPublisherType() -> UnfailablePublisherType<Value> {
        UnfailablePublisherType { subscriber in
            let listening = self.listen(subscriber.onValue)
            subscriber.onSubscribe(listening)
            return listening
        }
    }
}

extension SubscriberType {
    /// A subscriber that sends what it is told down a brook.
    static func brook(_ brook: Brook<Element>) -> SubscriberType where Element: Sendable {
        SubscriberType(onValue: { brook.emit($0) })
    }
}

extension ReplayLastSubjectType where Element: Sendable, ErrorType == Never {
    /// A subject whose value lies in a brook.
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
let listening = brook.listen { sum in print("the brook carries \(sum)") }

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
let flow = source.statePublisher.subscribe(.brook(sums))
source.dispatch(7)
await source.drain()
print(sums.current)  // 7
flow.unsubscribe()
