// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The outputs of all shards of a store, which open together.
final class ContextGroup<Action, State>: Sendable {
    private struct Contents {
        /// The number of shards that have not called `open` yet.
        var left: Int
        var sinks: [ContextSink<Action, State>] = []
    }

    private let contents: Locked<Contents>

    init(shards: Int) {
        contents = Locked(Contents(left: shards))
    }

    /// Adds the outputs of a shard. The call of the last shard opens the outputs of all.
    func open(_ sinks: [ContextSink<Action, State>]) {
        let all = contents.withLock { contents -> [ContextSink<Action, State>] in
            contents.left -= 1
            contents.sinks += sinks
            guard contents.left == 0 else { return [] }
            defer { contents.sinks = [] }
            return contents.sinks
        }
        ContextSink.open(all)
    }

    /// Whether actions are held at the outputs that were added.
    var hasHeld: Bool { contents.withLock { $0.sinks }.contains(where: \.hasHeld) }
}
