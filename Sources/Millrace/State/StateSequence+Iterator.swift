// SPDX-License-Identifier: Apache-2.0

extension StateSequence {
    /// One consumer's place in the states of a store.
    ///
    /// For one task at a time: copies share the place, and a second task that waits on it stops the program.
    public struct Iterator: AsyncIteratorProtocol {
        private let consumption: Consumption
        private let onDrop: (@Sendable (Int) -> Void)?

        /// How many states were dropped until the element that was returned last.
        ///
        /// Its growth from one element to the next is the number of states that are missing between them.
        public private(set) var dropped = 0

        init(_ consumption: Consumption, _ onDrop: (@Sendable (Int) -> Void)?) {
            self.consumption = consumption
            self.onDrop = onDrop
        }

        /// The next state, when there is one. Nil at the end and ever after.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while true {
                if Task.isCancelled { consumption.end() }
                switch consumption.buffer.take() {
                case .element(let element, let count):
                    report(count)
                    return element
                case .end(let count):
                    report(count)
                    consumption.end()
                    return nil
                case .nothing:
                    await wait()
                }
            }
        }

        private mutating func report(_ count: Int) {
            guard count > 0 else { return }
            dropped += count
            onDrop?(count)
        }

        private func wait(isolation: isolated (any Actor)? = #isolation) async {
            let buffer = consumption.buffer
            await withTaskCancellationHandler {
                await buffer.wait()
            } onCancel: {
                // Only this: to unsubscribe may drain a queue, for which the task is the better place.
                buffer.close()
            }
        }
    }

    /// An iterator's buffer and subscription; with the last copy of the iterator both end.
    final class Consumption {
        let buffer: StateBuffer<Element>
        private let subscription: StateSubscription?

        init(_ buffer: StateBuffer<Element>, _ subscription: StateSubscription?) {
            self.buffer = buffer
            self.subscription = subscription
        }

        deinit {
            end()
        }

        func end() {
            buffer.close()
            subscription?.unsubscribe()
        }
    }
}

@available(*, unavailable)
extension StateSequence.Iterator: Sendable {}
