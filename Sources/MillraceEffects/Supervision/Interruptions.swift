// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// How often all effects of a supervising middleware were cancelled by who lets it see no actions for a time, such as a
/// gate that closes: what the state asks for is to come back.
@usableFromInline
final class Interruptions: Sendable {
    @usableFromInline let word = Atomic<UInt>(0)

    @usableFromInline
    init() {}

    /// Acquiring, pairs with `add`: what is started by who sees it is not cancelled by it.
    @inlinable var count: UInt { word.load(ordering: .acquiring) }

    /// After the cancel: a look between the two would start what is then cancelled, and never again.
    func add() {
        word.add(1, ordering: .releasing)
    }
}

/// The interruptions as one store's actions see them. Each looks when it comes, before the reducers: an interruption that
/// comes later may cancel what this action begins.
@usableFromInline
final class SeenInterruptions: @unchecked Sendable {
    // Unchecked: in a store only the pipeline's thread comes here, outside of one whoever runs the work of `handle`.
    @usableFromInline let interruptions: Interruptions
    /// When the action came.
    @usableFromInline @exclusivity(unchecked) var noted: UInt
    /// How many have been made good.
    @usableFromInline @exclusivity(unchecked) var seen: UInt

    @usableFromInline
    init(_ interruptions: Interruptions) {
        self.interruptions = interruptions
        noted = interruptions.count
        seen = noted
    }

    /// An action has come.
    @inlinable
    func note() {
        noted = interruptions.count
    }

    @inlinable var isNew: Bool { noted != seen }
}
