// SPDX-License-Identifier: Apache-2.0

/// The numbered actions of one producer, in parts: generated, or from a file.
package struct Feed: Sendable {
    /// The name of the producer, for the journal.
    package let producer: String
    /// The number of the last action.
    package let last: UInt64
    /// The number of the next action.
    package private(set) var next: UInt64 = 1
    /// What makes the actions; nil if they are recorded.
    private var gateway: Gateway?
    private var recorded: [OrderAction] = []

    /// The actions of a gateway.
    package init(_ symbol: Symbol, seed: UInt64, count: Int) {
        producer = "\(symbol)"
        last = UInt64(max(0, count))
        gateway = Gateway(symbol, seed: seed)
    }

    /// The actions of a file.
    package init(_ symbol: Symbol, _ file: LobsterFile) {
        producer = "\(symbol)"
        last = UInt64(file.actions.count)
        recorded = file.actions.map { .book(symbol, $0) }
    }

    /// How many actions are left.
    package var left: UInt64 { last + 1 - min(next, last + 1) }

    /// Goes on after the last number that a store has of this producer.
    package mutating func goOn(after number: UInt64) {
        guard number >= next else { return }
        let passed = min(number + 1 - next, left)
        gateway?.skip(passed)
        next = number + 1
    }

    /// Returns the next actions, at most `most`. They have consecutive numbers; the first one had the number `next`.
    package mutating func take(_ most: Int) -> [OrderAction] {
        let count = min(UInt64(max(0, most)), left)
        defer { next += count }
        if gateway == nil {
            let first = Int(next - 1)
            return Array(recorded[first..<first + Int(count)])
        }
        return (0..<count).compactMap { _ in gateway?.next() }
    }
}
