// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The outputs of all shards of a store, which open together.
final class ContextGroup<Action, State>: Sendable {
    private struct Contents {
        /// The number of shards that have not called `open` yet.
        var left: Int
        var sinks: [ContextSink<Action, State>] = []
        var recovered: [RecoveredCore<Action, State>] = []
    }

    private let contents: Locked<Contents>

    init(shards: Int) {
        contents = Locked(Contents(left: shards))
    }

    /// Adds the outputs of a shard, and the shard itself if it was recovered from a journal. The call of the last shard
    /// opens the outputs of all.
    func open(_ sinks: [ContextSink<Action, State>], _ recovered: RecoveredCore<Action, State>? = nil) {
        let all = contents.withLock { contents -> Contents? in
            contents.left -= 1
            contents.sinks += sinks
            if let recovered { contents.recovered.append(recovered) }
            guard contents.left == 0 else { return nil }
            defer { contents = Contents(left: 0) }
            return contents
        }
        guard let all else { return }
        ContextSink.open(all.sinks) { for core in all.recovered { core.begin() } }
        for core in all.recovered { core.wake() }
    }

    /// Whether actions are held at the outputs that were added.
    var hasHeld: Bool { contents.withLock { $0.sinks }.contains(where: \.hasHeld) }

    /// Whether the pipeline of an added shard runs on the caller's thread.
    var runsHere: Bool { contents.withLock { $0.recovered }.contains { $0.core.host?.runsOnCallers == true } }
}
