// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a shard with a journal asks of the other shards, for its effects: see ``OpenEffects``.
struct OtherShards: Sendable {
    /// Whether the shards have accepted what the calling effect has dispatched until now. Any thread.
    ///
    /// - Parameter wasImmediate: Whether the effect has run on the thread of a pipeline.
    let areOpen: @Sendable (_ wasImmediate: Bool) -> Bool
    /// Calls a closure once everything that was dispatched to the other shards until now is durable; with false if that
    /// can no longer happen. Any thread.
    let whenDurable: @Sendable (_ answer: @escaping @Sendable (Bool) -> Void) -> Void
}

extension ShardedStore {
    /// Has the ends of the effects of each shard noted only when their answers to the other shards are durable. Before
    /// a shard handles an action.
    ///
    /// - Parameter whenDurable: Calls a closure once everything that was dispatched to all shards but one until now is
    ///   durable; with false if that can no longer happen.
    package func connectEffects(
        whenDurable: @escaping @Sendable (_ except: Int, _ answer: @escaping @Sendable (Bool) -> Void) -> Void
    ) {
        for (number, shard) in shards.enumerated() {
            guard let effects = shard.core.consumer.journal?.openEffects else { continue }
            // The end of the shard's pipeline breaks the cycle: then `OpenEffects` lets go of the closure.
            let areOpen: @Sendable (Bool) -> Bool = { [router] wasImmediate in
                // A closed store accepts actions from the threads of its pipelines only: see ShardRouter. Relaxed: an
                // answer that was rejected has read true before, in the same effect.
                ((wasImmediate && Frames.isRunningAny) || !router.isClosed.load(ordering: .relaxed))
                    && router.cores.allSatisfy { !$0.consumer.queue.isClosed }
            }
            effects.connect(others: OtherShards(areOpen: areOpen, whenDurable: { whenDurable(number, $0) }))
        }
    }
}
