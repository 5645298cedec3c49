// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import MillraceFeedback
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// A publisher that returns its subscription, and does not tell it in `onSubscribe`, can be cancelled all the same.
@Suite("Subscriptions that are only returned")
struct ReturnedSubscriptionTests {
    private final class Ended: SubscriptionType {
        let isEnded: Shared<Bool>
        init(_ isEnded: Shared<Bool>) { self.isEnded = isEnded }
        func unsubscribe() { isEnded.value = true }
    }

    private func publisher(_ isEnded: Shared<Bool>) -> UnfailablePublisherType<DispatchedAction<Int>> {
        UnfailablePublisherType { _ in Ended(isEnded) }
    }

    @Test("by a subscriber of Combine")
    func combine() {
        let isEnded = Shared(false)
        let token = publisher(isEnded).sink { _ in }
        #expect(!isEnded.value)
        token.cancel()
        #expect(isEnded.value)
    }

    @Test("as an effect, and as one that is fired and forgotten")
    func effect() {
        for isForgotten in [false, true] {
            let isEnded = Shared(false)
            let publisher = publisher(isEnded)
            let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in
                isForgotten ? .fireAndForget(publisher) : Effect(publisher)
            }
            middleware.handle(action: 1, from: .here(), state: { 0 }).run(AnyActionHandler { _ in })
            #expect(!isEnded.value)
            middleware.cancelAll()
            #expect(isEnded.value)
        }
    }

    @Test("as the controls of a feedback, when the loop ends")
    func controls() async {
        let isEnded = Shared(false)
        let feedback = Feedback<Int, Int>(
            deriving: { (_: AnyPublisher<Int, Never>) -> UnfailablePublisherType<Int> in
                UnfailablePublisherType { _ in Ended(isEnded) }
            },
            effects: { (_: Int) -> Effect<Void, Int> in .doNothing }
        )
        do {
            let loop = FeedbackLoop<Int, Int>.system(initial: 0, feedbacks: [feedback]) { $0 + $1 }
            var states = loop.makeAsyncIterator()
            _ = await states.next()
            #expect(!isEnded.value)
        }
        #expect(await eventually { isEnded.value })
    }
}
