// SPDX-License-Identifier: Apache-2.0

extension StoreCore {
    /// Puts a subscriber in at its place in the order of actions. Never called when the store is closed already.
    func subscribe(_ body: @escaping @Sendable (State) -> Void) -> StateSubscription {
        let subscription = StateSubscription { [weak self] subscription in
            _ = self?.send { self?.subscribers.removeAll { $0.subscription === subscription } }
        }
        let told: @Sendable (State) -> Void = { state in subscription.call { body(state) } }
        _ = send { [self] in
            consumer.publishIfDirty()
            // After the publication: who is told of it may have ended this subscription.
            guard !subscription.isCancelled else { return }
            subscribers.append((subscription, told))
            told(cell.live.pointee)
        }
        return subscription
    }
}
