// SPDX-License-Identifier: Apache-2.0

/// Weak references to the followers of a store's state, in the order in which they were added.
@MainActor
final class Followers<State> {
    private struct Reference {
        weak var follower: (any Follower<State>)?
    }

    private var references: [Reference] = []
    /// The number of references at which `append` removes the released followers: twice the number left after the last
    /// removal. So adding costs constant time, and the list is at most twice as long as the most followers alive at
    /// once.
    private var limit = Followers.smallestLimit

    private static var smallestLimit: Int { 16 }

    /// The number of references, released followers that were not removed yet included.
    var count: Int { references.count }

    func append(_ follower: any Follower<State>) {
        if references.count >= limit { keep(alive) }
        references.append(Reference(follower: follower))
    }

    /// Returns the followers that are alive, in order.
    func current() -> [any Follower<State>] {
        let alive = alive
        if alive.count < references.count { keep(alive) }
        return alive
    }

    private var alive: [any Follower<State>] { references.compactMap(\.follower) }

    /// Keeps only these followers. The array holds strong references, so that none is released while the list changes.
    private func keep(_ alive: [any Follower<State>]) {
        references = alive.map { Reference(follower: $0) }
        limit = max(Self.smallestLimit, 2 * references.count)
    }
}
