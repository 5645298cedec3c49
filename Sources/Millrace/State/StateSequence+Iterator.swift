// SPDX-License-Identifier: Apache-2.0

extension StateSequence {
    /// An iterator over the states of a store, with its own subscription and buffer.
    ///
    /// Use it from one task at a time: copies share the buffer, and a second task that waits for it stops the program.
    public struct Iterator: AsyncIteratorProtocol {
        private let consumption: Consumption
        private let onDrop: (@Sendable (Int) -> Void)?

        /// The number of states dropped before the element that was returned last, or before the end.
        ///
        /// Its growth from one element to the next is the number of states missing between the two.
        public private(set) var dropped = 0

        init(_ consumption: Consumption, _ onDrop: (@Sendable (Int) -> Void)?) {
            self.consumption = consumption
            self.onDrop = onDrop
        }

        /// Waits for the next state and returns it. Returns nil at the end, and in every call after the end.
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
                // Does not unsubscribe here: that may drain a queue, so the task does it.
                buffer.close()
            }
        }
    }

    /// The buffer and the subscription of an iterator. Both end with the last copy of the iterator.
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
