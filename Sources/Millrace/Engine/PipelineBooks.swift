// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Counts that the pipeline keeps for itself, in plain memory.
@usableFromInline
struct PipelineBooks {
    @usableFromInline var reduced: UInt64 = 0
    @usableFromInline var cancelled: UInt64 = 0
    @usableFromInline var controls: UInt64 = 0
    @usableFromInline var batches: UInt64 = 0
    @usableFromInline var stalls: UInt64 = 0
    /// The state may differ from the latest snapshot.
    @usableFromInline var isDirty = false
    /// Ticks of the last publication.
    @usableFromInline var published: UInt64 = 0

    @usableFromInline init() {}
}

/// The same counts as others may see them: stored once a batch. And what producers count: refusals, messages.
///
/// All relaxed but `reduced`: statistics, which order nothing. `reduced` is released last and acquired first, so that
/// the others are at least as new.
@usableFromInline
final class SharedBooks: Sendable {
    let reduced = Atomic<UInt64>(0)
    let cancelled = Atomic<UInt64>(0)
    let controlsTaken = Atomic<UInt64>(0)
    let batches = Atomic<UInt64>(0)
    let stalls = Atomic<UInt64>(0)
    /// The position up to which the latest snapshot tells everything.
    let snapshotPosition = Atomic<UInt64>(0)
    let rejected = Atomic<UInt64>(0)
    let controlsOffered = Atomic<UInt64>(0)
    /// The pipeline has gone.
    let isFinished = Atomic<Bool>(false)

    @usableFromInline init() {}

    func report(_ books: borrowing PipelineBooks) {
        cancelled.store(books.cancelled, ordering: .relaxed)
        controlsTaken.store(books.controls, ordering: .relaxed)
        batches.store(books.batches, ordering: .relaxed)
        stalls.store(books.stalls, ordering: .relaxed)
        reduced.store(books.reduced, ordering: .releasing)
    }
}
