// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// What loggers have done, and the way to wait until all of it is written.
///
/// ```swift
/// let log = ActionLog()
/// let store = ReduxStoreBase(initialState: AppState(), reducer: reducer, middleware: app.logger(log: log))
/// …
/// await log.flush()
/// print(log.metrics.skipped)
/// ```
///
/// One log may be given to any number of loggers, and a logger to any number of stores: the metrics are the sums.
///
/// **Threads.** Anything from any thread. It keeps no store and no logger alive.
public final class ActionLog: Sendable {
    private struct Channels {
        var open: [ObjectIdentifier: Entry] = [:]
        /// What channels counted that are gone.
        var closed = LogMetrics()
    }

    private struct Entry {
        let counts: LogCounts
        weak var channel: (any LogFlushing)?
    }

    private let channels = Locked(Channels())

    /// A log without loggers.
    public init() {}

    /// The sums over all loggers, also over those that are gone.
    public var metrics: LogMetrics {
        channels.withLock { channels in
            channels.open.values.reduce(channels.closed) { $0 + $1.counts.all }
        }
    }

    /// Returns when everything is written that was logged before the call: given to swift-log, to the closure, to the
    /// file system.
    ///
    /// An action is logged when its reducers have run: first `await store.drain()`, then `await log.flush()`. Not on a
    /// thread that the formatting queue needs, as that would wait for itself.
    public func flush() async {
        // The channels are retained under the lock and let go outside: the last reference runs foreign destructors.
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

/// A channel of any type.
protocol LogFlushing: AnyObject, Sendable {
    func flush() async
}
