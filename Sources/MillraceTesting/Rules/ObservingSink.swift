// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Notes what is dispatched, and passes it on.
final class ObservingSink<Action>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because the base class is unchecked; the log belongs to the holder of the world's token.
    private let sink: ActionSink<Action>
    private let log: RuleLog

    init(_ sink: ActionSink<Action>, _ log: RuleLog) {
        self.sink = sink
        self.log = log
        super.init()
        findRoom = sink.findRoom
        log.outputs += 1
    }

    deinit { log.outputs -= 1 }

    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        log.noteDispatch(dispatchedAction.action, cause: cause)
        sink.accept(dispatchedAction, cause: cause, run: run)
    }

    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        log.noteDispatch(dispatchedAction.action, cause: cause)
        return sink.acceptUrgently(dispatchedAction, cause: cause, run: run)
    }
}

extension AnyActionHandler {
    func observed(by log: RuleLog) -> AnyActionHandler {
        AnyActionHandler(sink: ObservingSink(sink, log), cause: cause, run: run)
    }
}
