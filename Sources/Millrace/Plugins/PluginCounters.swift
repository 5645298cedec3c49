// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import Synchronization

/// What a plugin has done.
@usableFromInline
final class PluginCounters: @unchecked Sendable {
    // Unchecked because `running` is set before the first action, and constant afterwards.

    // The pipeline alone counts, so that a load and a store do. Relaxed: statistics, which order nothing.
    @usableFromInline let handled = Atomic<UInt64>(0)
    let works = Atomic<UInt64>(0)
    /// Told when the plugin is at work; nil until it is bound.
    var running: RunningMiddleware?

    @inlinable
    init() {}

    @inlinable
    func countHandled() {
        handled.store(handled.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// The same work, counted, under the plugin's name while it runs; what it dispatches belongs to `run`.
    @usableFromInline
    func counted<Action>(_ io: IO<Action>, _ run: EffectRun) -> IO<Action> {
        works.store(works.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        let running = running
        return IO { output in
            running?.set(true)
            defer { running?.set(false) }
            io.run(output.belonging(to: run))
        }
    }
}
