// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// An output that does not keep its store alive, for a middleware that dispatches at any time.
final class LooseOutput<Action, State>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because the base class is; a weak reference may be read by any thread.
    private weak let core: StoreCore<Action, State>?

    init(to core: StoreCore<Action, State>?) {
        self.core = core
        super.init()
        findRoom = { [weak core] action in core?.findRoom?(action) }
    }

    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        core?.accept(dispatchedAction, cause: cause, run: run)
    }
}
