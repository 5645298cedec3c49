// SPDX-License-Identifier: Apache-2.0

/// Marks a push into a subject whose state the subscribers of the store's `statePublisher` must not be called with.
@usableFromInline
final class EmissionSuppressor: @unchecked Sendable {
    // Unchecked because only the consumer touches `isKept`; the consumer role orders the accesses of different threads.
    private let identity: UnsafeRawPointer
    @usableFromInline @exclusivity(unchecked) var isKept = false

    /// - Parameter identity: The identity that marks the frames of the pipeline.
    @usableFromInline
    init(identity: UnsafeRawPointer) {
        self.identity = identity
    }

    /// Whether the current thread runs the pipeline and is in such a push. Pushes of other threads are never
    /// suppressed, and those threads do not read `isKept`.
    var isKeptHere: Bool { Frames.isRunning(identity) && isKept }
}
