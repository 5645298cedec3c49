// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// The number that a producer has given to an action, so that a repeated action is handled once. The action keeps a
/// reference to this object in the queue.
@usableFromInline
package final class NumberedRun: EffectRun, @unchecked Sendable {
    // Unchecked because only the consumer uses `isAnswered`, once the run is in the queue.

    /// The answer of the pipeline for an action, when it takes the action up.
    @usableFromInline
    package enum Answer: Sendable {
        /// The action is handled, with this sequence.
        case accepted(sequence: UInt64)
        /// The producer's actions up to `mark` were handled before; the last of them with this sequence.
        case duplicate(mark: UInt64, sequence: UInt64)
        /// The producer has left numbers out.
        case gap(expected: UInt64)
        /// The producer is not known, and its number is not 1.
        case unknownProducer
    }

    package let producer: String
    let number: UInt64
    private let answer: (@Sendable (Answer?) -> Void)?
    @exclusivity(unchecked) private var isAnswered = false

    /// - Parameter answer: Called once with what becomes of the action; with nil if the pipeline never takes it up.
    @usableFromInline
    package init(producer: String, number: UInt64, answer: (@Sendable (Answer?) -> Void)?) {
        self.producer = producer
        self.number = number
        self.answer = answer
        super.init(inside: nil)
    }

    deinit {
        if !isAnswered { answer?(nil) }
    }

    func reply(_ reply: Answer) {
        guard !isAnswered else { return }
        isAnswered = true
        answer?(reply)
    }
}

/// The last number that a producer has reached.
@usableFromInline
package struct ProducerMark: Hashable, Sendable {
    package let producer: String
    package let number: UInt64
    /// Other producers that were forgotten before this action.
    package let forgotten: [String]

    package init(producer: String, number: UInt64, forgotten: [String] = []) {
        self.producer = producer
        self.number = number
        self.forgotten = forgotten
    }
}
