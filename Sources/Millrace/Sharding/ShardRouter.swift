// SPDX-License-Identifier: Apache-2.0

import CMillrace
public import MillraceCore
public import Synchronization

/// What the middlewares of a sharded store dispatch to: it finds the shard of an action as the store itself does.
///
/// Shards hold it until they end, and it holds the shards' cores: a cycle that the end of each pipeline breaks.
@usableFromInline
final class ShardRouter<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because a subclass of an open class has to be; its properties are constant and Sendable.
    @usableFromInline let cores: [StoreCore<Action, State>]
    @usableFromInline let index: @Sendable (Action) -> Int

    /// Outside intake is closed, of all shards at once; the shards themselves close when they have nothing more for each
    /// other.
    @usableFromInline let isClosed = Atomic<Bool>(false)

    @usableFromInline
    init(cores: [StoreCore<Action, State>], index: @escaping @Sendable (Action) -> Int) {
        self.cores = cores
        self.index = index
        super.init()
        guard cores.contains(where: { $0.findRoom != nil }) else { return }
        // The room of the shard that will take the action. Not counted: whoever calls it holds this.
        findRoom = { [unowned(unsafe) self] action in self.cores[self.index(action)] }
    }

    @usableFromInline
    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        let core = cores[index(dispatchedAction.action)]
        if millrace_frame_runs_any() {
            // On the thread of a pipeline, maybe another shard's: were it to wait for room, the two could wait for each
            // other.
            core.acceptExempt(dispatchedAction, cause: cause, run: run)
        } else if isClosed.load(ordering: .relaxed) {
            // An effect, say: no part of what is pending.
            core.reject(1)
        } else {
            core.accept(dispatchedAction, cause: cause, run: run)
        }
    }
}
