// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// The number of times that all effects of a supervising middleware were cancelled because it sees no actions for a
/// time, as when a gate closes. Afterwards the effects that the state asks for have to begin again.
@usableFromInline
final class Interruptions: Sendable {
    @usableFromInline let word = Atomic<UInt>(0)

    @usableFromInline
    init() {}

    /// Acquiring, pairs with `add`: an interruption does not cancel effects that are started after it was seen here.
    @inlinable var count: UInt { word.load(ordering: .acquiring) }

    /// Called after the cancel. If it were called before, a look between the two would start effects that are then
    /// cancelled, and that no later look starts again.
    func add() {
        word.add(1, ordering: .releasing)
    }
}

/// The interruptions as the actions of one store see them. Each action notes the count when it arrives, before the
/// reducers: a later interruption may cancel what this action begins.
@usableFromInline
final class SeenInterruptions: @unchecked Sendable {
    // Unchecked: in a store only the pipeline's thread touches it, outside of a store only the thread that runs the IO
    // of `handle`.
    @usableFromInline let interruptions: Interruptions
    /// The count when the current action arrived.
    @usableFromInline @exclusivity(unchecked) var noted: UInt
    /// The count up to which effects were started again.
    @usableFromInline @exclusivity(unchecked) var seen: UInt

    @usableFromInline
    init(_ interruptions: Interruptions) {
        self.interruptions = interruptions
        noted = interruptions.count
        seen = noted
    }

    /// Notes the count when an action arrives.
    @inlinable
    func note() {
        noted = interruptions.count
    }

    @inlinable var isNew: Bool { noted != seen }
}
