// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCombine
import TestSupport

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// A subscriber of Combine that asks only when it is told to.
final class SlowSubscriber: Subscriber, Sendable {
    let log = Recorder<String>()
    private let subscription = Shared<Held?>(nil)

    struct Held: @unchecked Sendable {
        // Unchecked: a subscription may be used on any thread.
        let value: any Subscription
    }

    func receive(subscription: any Subscription) {
        log.record("subscription")
        self.subscription.value = Held(value: subscription)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
        log.record("\(input)")
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {
        log.record("end")
    }

    func ask(_ count: Int) {
        subscription.value?.value.request(.max(count))
    }

    func cancel() {
        subscription.value?.value.cancel()
    }
}

struct Failure: Error, Equatable {}
