// SPDX-License-Identifier: Apache-2.0

package import MillraceFeedback

package struct Counter: Sendable, Equatable {
    package var count = 0
    package var step = 1

    package init(count: Int = 0, step: Int = 1) {
        self.count = count
        self.step = step
    }

    package enum Event: Sendable, Equatable {
        case increment
        case decrement
        case reset
    }

    package static func reduce(_ counter: Counter, _ event: Event) -> Counter {
        var counter = counter
        switch event {
        case .increment: counter.count += counter.step
        case .decrement: counter.count -= counter.step
        case .reset: counter.count = 0
        }
        return counter
    }

    /// Nobody counts further than this.
    package static let limit = 10

    /// Past the limit the counter begins anew.
    package static let resetting = Feedback<Counter, Event>(
        whenBecomesTrue: { abs($0.count) > limit },
        effects: { _ in .just(.reset) }
    )
}

/// A view model of its own, as apps have them.
package final class CounterViewModel: ViewModel<Counter, Counter.Event>, @unchecked Sendable {
    package init(scheduler: StoreEngine = .main) {
        super.init(
            initial: Counter(),
            feedbacks: [Counter.resetting],
            scheduler: scheduler,
            reducer: Counter.reduce
        )
    }
}

extension Context<Counter, Counter.Event> {
    /// What is on the screen.
    package var screen: String {
        "count \(self.count), step \(self.step)"
    }
}
