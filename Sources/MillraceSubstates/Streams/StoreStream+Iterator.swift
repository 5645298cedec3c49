// SPDX-License-Identifier: Apache-2.0

import Millrace

extension StoreStream {
    /// Subscribes to the store and returns an iterator. Any thread.
    public func makeAsyncIterator() -> Iterator {
        let step = makeStep()
        // Values that a step leaves out are not put into the buffer. The first value is always put in, also if it is
        // nil.
        let values = store.base?.states(rule, select: { step($0) }, removeDuplicates: { $1 == nil })
        return Iterator(base: values?.makeAsyncIterator())
    }

    /// An iterator over the values, with its own subscription and buffer. Use it from one task at a time.
    public struct Iterator: AsyncIteratorProtocol {
        var base: StateSequence<Value?>.Iterator?

        /// Waits for the next value and returns it. Returns nil at the end, and in every call after the end.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Value? {
            while let found = await base?.next(isolation: actor) {
                if let value = found { return value }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension StoreStream.Iterator: Sendable {}
