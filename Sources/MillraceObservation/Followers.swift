// SPDX-License-Identifier: Apache-2.0

/// Those who follow the state of a store, which does not keep them, in the order in which they came.
@MainActor
final class Followers<State> {
    private struct Reference {
        weak var follower: (any Follower<State>)?
    }

    private var references: [Reference] = []
    /// At how many it is looked who is gone. Twice as many as were there after the last look: so adding costs constant
    /// time, however many there are, and no more than twice as many are kept as were there at once.
    private var limit = Followers.smallestLimit

    private static var smallestLimit: Int { 16 }

    /// How many there are, those included that are gone and not noticed yet.
    var count: Int { references.count }

    func append(_ follower: any Follower<State>) {
        if references.count >= limit { keep(alive) }
        references.append(Reference(follower: follower))
    }

    /// Those that are there, in order.
    func current() -> [any Follower<State>] {
        let alive = alive
        if alive.count < references.count { keep(alive) }
        return alive
    }

    private var alive: [any Follower<State>] { references.compactMap(\.follower) }

    /// Keeps these alone. They are given as strong references, so that none goes while the list is changed.
    private func keep(_ alive: [any Follower<State>]) {
        references = alive.map { Reference(follower: $0) }
        limit = max(Self.smallestLimit, 2 * references.count)
    }
}
