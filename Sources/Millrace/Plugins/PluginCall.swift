// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The calls of a plugin's bound middleware: closures that are specialised where the plugin is installed.
@usableFromInline
final class PluginCall<Action> {
    @usableFromInline let handle: (Action, ActionSource) -> IO<Action>
    @usableFromInline let probedHandle: (Action, ActionSource, any PipelineProbe) -> IO<Action>
    /// Called only if `hasAfterReduce` is true.
    @usableFromInline let afterReduce: (Action, ActionSource, AnyActionHandler<Action>) -> Void
    @usableFromInline let hasAfterReduce: Bool
    @usableFromInline let canceller: EffectCanceller

    @inlinable
    init<M: MiddlewareProtocol>(
        _ bound: M,
        _ state: @escaping GetState<M.StateType>,
        _ counters: PluginCounters,
        _ run: EffectRun
    )
    where M.InputActionType == Action, M.OutputActionType == Action {
        // In a class, because a closure would copy what it captures at each call.
        let kept = KeptPlugin(bound)
        handle = { action, dispatcher in
            counters.countHandled()
            let io = kept.bound.handle(action: action, from: dispatcher, state: state)
            return io.isPure ? .pure() : counters.counted(io, run)
        }
        probedHandle = { action, dispatcher, probe in
            counters.countHandled()
            let io = kept.bound.handle(action: action, from: dispatcher, state: state, probe: probe)
            return io.isPure ? .pure() : counters.counted(io, run)
        }
        afterReduce = { action, dispatcher, output in
            kept.bound.afterReduce(action: action, from: dispatcher, state: state, output: output.belonging(to: run))
        }
        hasAfterReduce = bound.hasAfterReduce
        canceller = bound.effectCanceller
    }
}

/// The bound middleware of a plugin.
@usableFromInline
final class KeptPlugin<M> {
    @usableFromInline let bound: M

    @inlinable
    init(_ bound: M) {
        self.bound = bound
    }
}
