// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
public import Synchronization

/// The sink to which the middlewares of a sharded store dispatch. It finds the shard of an action as the store itself
/// does.
///
/// The shards hold the router until they end, and the router holds the cores of the shards. The end of each pipeline
/// breaks this cycle.
@usableFromInline
final class ShardRouter<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because its superclass is open and unchecked; its own properties are constant and Sendable.
    @usableFromInline let cores: [StoreCore<Action, State>]
    @usableFromInline let index: @Sendable (Action) -> Int

    /// Whether the intake from outside is closed, for all shards at once. The shards themselves close later, when they
    /// have no more actions for each other.
    @usableFromInline let isClosed = Atomic<Bool>(false)

    @usableFromInline
    init(cores: [StoreCore<Action, State>], index: @escaping @Sendable (Action) -> Int) {
        self.cores = cores
        self.index = index
        super.init()
        guard cores.contains(where: { $0.findRoom != nil }) else { return }
        // The shard that would accept the action. Unowned: the caller of the closure holds this router.
        findRoom = { [unowned(unsafe) self] action in self.cores[self.index(action)] }
    }

    @usableFromInline
    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        let core = cores[index(dispatchedAction.action)]
        if Frames.isRunningAny {
            // On the thread of a pipeline, maybe another shard's. If it waited for room, two pipelines could wait for
            // each other.
            core.acceptBeyondCapacity(dispatchedAction, cause: cause, run: run)
        } else if isClosed.load(ordering: .relaxed) {
            // For example the action of an effect, which is not part of the pending actions. Relaxed: see
            // ShardedStore.closed.
            core.reject(1)
        } else {
            core.accept(dispatchedAction, cause: cause, run: run)
        }
    }

    @usableFromInline
    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        let core = cores[index(dispatchedAction.action)]
        // Relaxed: as above.
        if !Frames.isRunningAny, isClosed.load(ordering: .relaxed) {
            core.reject(1)
            return .closed
        }
        return core.takeUrgent(dispatchedAction, cause: cause, run: run)
    }
}
