// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import Synchronization

/// The counters of a plugin.
@usableFromInline
final class PluginCounters: @unchecked Sendable {
    // Unchecked because `running` is set before the first action, and constant afterwards.

    // Only the pipeline counts, so a load and a store are enough. Relaxed: statistics, which order nothing.
    @usableFromInline let handled = Atomic<UInt64>(0)
    let ios = Atomic<UInt64>(0)
    /// Marks the plugin as running; nil until the plugin is bound.
    var running: RunningMiddleware?

    @inlinable
    init() {}

    @inlinable
    func countHandled() {
        handled.store(handled.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
    }

    /// Counts an IO, and returns one that does the same. While it runs, it is marked with the plugin's name, and its
    /// actions belong to `run`.
    @usableFromInline
    func counted<Action>(_ io: IO<Action>, _ run: EffectRun) -> IO<Action> {
        ios.store(ios.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        let running = running
        return IO { output in
            // The plugin was removed while the journal held the IO.
            #if MILLRACE_PLANTED
                if run.isRevoked, !Planted.has(.pluginOutlived) { return }
            #else
                if run.isRevoked { return }
            #endif
            running?.set(true)
            defer { running?.set(false) }
            io.run(output.belonging(to: run))
        }
    }
}
