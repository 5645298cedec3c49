// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A named middleware of a store and whether it is running, to find the middleware in which a pipeline is stuck.
///
/// A ``NamedMiddleware`` creates it when a store binds the middleware. It costs two relaxed stores per call on the
/// pipeline's thread. The value orders nothing.
public final class RunningMiddleware: Sendable {
    /// The name of the middleware.
    public let name: MiddlewareName
    @usableFromInline let running = Atomic<Bool>(false)

    init(name: MiddlewareName) {
        self.name = name
    }

    /// Whether its `handle` or `afterReduce` is running. Any thread may read it; the value may already be out of date.
    public var isRunning: Bool { running.load(ordering: .relaxed) }

    @inlinable
    package func set(_ isRunning: Bool) {
        running.store(isRunning, ordering: .relaxed)
    }
}
