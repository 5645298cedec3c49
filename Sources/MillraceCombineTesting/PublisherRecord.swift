// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceTesting

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// What a publisher has sent so far. Any thread.
final class PublisherRecord<P: Publisher>: @unchecked Sendable {
    // Unchecked because of the lock; `subscription` belongs to the test.
    private let lock = NSLock()
    private var received: [P.Output] = []
    private var end: Subscribers.Completion<P.Failure>?
    private var subscription: AnyCancellable?

    init(_ publisher: P) {
        subscription = publisher.sink { [weak self] end in
            guard let self else { return }
            lock.withLock { self.end = end }
        } receiveValue: { [weak self] value in
            guard let self else { return }
            lock.withLock { self.received.append(value) }
        }
    }

    var values: [P.Output] { lock.withLock { received } }

    var completion: Subscribers.Completion<P.Failure>? { lock.withLock { end } }

    /// Returns the waiter for these values and this completion.
    ///
    /// - Parameters:
    ///   - mustComplete: Whether to wait for the completion.
    ///   - completion: The expected completion; nil: none, or success.
    func waiter(
        for expected: [P.Output],
        areEqual: @escaping ([P.Output], [P.Output]) -> Bool,
        mustComplete: Bool,
        completion isExpected: ((Subscribers.Completion<P.Failure>) -> Bool)?,
        _ place: SourcePlace
    ) -> Waiter {
        Waiter {
            if self.completion != nil { return true }
            return !mustComplete && self.values.count >= expected.count
        } check: {
            let values = self.values
            if !areEqual(values, expected) {
                place.fail(
                    "The publisher sent other values than expected (- expected, + actual):\n"
                        + ValueDifference.text(expected: expected, actual: values)
                )
            }
            guard let completion = self.completion else {
                if mustComplete { place.fail("The publisher did not complete in time.") }
                return
            }
            if let isExpected {
                if !isExpected(completion) {
                    place.fail(
                        "The publisher completed in another way than expected: '\(ValueLines.line(of: completion))'"
                    )
                }
            } else if case .failure(let error) = completion {
                place.fail("The publisher failed: '\(ValueLines.line(of: error))'")
            }
        }
    }
}
