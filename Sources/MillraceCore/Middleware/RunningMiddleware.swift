// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A named middleware of a store, and whether it is at work now. For who asks what a pipeline is stuck in.
///
/// Made by ``NamedMiddleware`` when a store takes it. Two relaxed stores a call on the pipeline's thread; the answer
/// orders nothing.
public final class RunningMiddleware: Sendable {
    /// What it was named.
    public let name: MiddlewareName
    @usableFromInline let running = Atomic<Bool>(false)

    init(name: MiddlewareName) {
        self.name = name
    }

    /// Whether its `handle` or `afterReduce` is running. Any thread; true of the moment before.
    public var isRunning: Bool { running.load(ordering: .relaxed) }

    @inlinable
    package func set(_ isRunning: Bool) {
        running.store(isRunning, ordering: .relaxed)
    }
}
