// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// Counts what loggers have done, and waits until their lines are written.
///
/// ```swift
/// let log = ActionLog()
/// let store = ReduxStoreBase(initialState: AppState(), reducer: reducer, middleware: app.logger(log: log))
/// …
/// await log.flush()
/// print(log.metrics.skipped)
/// ```
///
/// Any number of loggers may share one log, and a logger may be in any number of stores. The metrics are the sums.
///
/// **Threads.** Every member may be used from any thread. The log keeps no store and no logger alive.
public final class ActionLog: Sendable {
    private struct Channels {
        var open: [ObjectIdentifier: Entry] = [:]
        /// The sums over the channels that no longer exist.
        var closed = LogMetrics()
    }

    private struct Entry {
        let counts: LogCounts
        weak var channel: (any LogFlushing)?
    }

    private let channels = Locked(Channels())

    /// Creates a log without loggers.
    public init() {}

    /// The sums over all loggers, including those that no longer exist.
    public var metrics: LogMetrics {
        channels.withLock { channels in
            channels.open.values.reduce(channels.closed) { $0 + $1.counts.all }
        }
    }

    /// Waits until all lines that were logged before the call are written: given to swift-log, to the closure, or to
    /// the file system.
    ///
    /// An action is logged after its reducers have run. So call `await store.drain()` first, then `await log.flush()`.
    /// Do not block a thread that the formatting queue needs while you wait for this call: it would never return.
    public func flush() async {
        // The channels are retained under the lock and released outside of it, because the last release runs
        // destructors of other code.
        let channels = channels.withLock { $0.open.values.compactMap(\.channel) }
        for channel in channels { await channel.flush() }
    }

    func add(_ channel: any LogFlushing, _ counts: LogCounts) {
        channels.withLock { $0.open[ObjectIdentifier(counts)] = Entry(counts: counts, channel: channel) }
    }

    func remove(_ counts: LogCounts) {
        channels.withLock {
            $0.open[ObjectIdentifier(counts)] = nil
            $0.closed = $0.closed + counts.all
        }
    }
}

/// A channel with any action and state type.
protocol LogFlushing: AnyObject, Sendable {
    func flush() async
}
