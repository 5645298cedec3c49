// SPDX-License-Identifier: Apache-2.0

/// A subscriber of a store as one reference, so that retaining it during a call is cheap.
@usableFromInline
final class StateSubscriber<State>: Sendable {
    let subscription: StateSubscription
    private let body: @Sendable (State) -> Void

    init(_ subscription: StateSubscription, _ body: @escaping @Sendable (State) -> Void) {
        self.subscription = subscription
        self.body = body
    }

    /// Calls the subscriber with a state, unless the subscription has ended.
    @usableFromInline
    func tell(_ state: State) {
        // A first check: no call is counted for a subscription that has ended.
        guard !subscription.isCancelled else { return }
        subscription.call { body(state) }
    }

    #if MILLRACE_PLANTED
        func tellInAnyCase(_ state: State) { subscription.call { body(state) } }
    #endif
}
