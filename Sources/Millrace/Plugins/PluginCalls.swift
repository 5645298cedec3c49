// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The calls of all plugins that see actions.
@usableFromInline
final class PluginCalls<Action> {
    /// The calls in the order of the plugins.
    @usableFromInline let all: FixedList<PluginCall<Action>>
    /// The calls that have an `afterReduce`, from the last plugin to the first.
    @usableFromInline let afterReducers: FixedList<PluginCall<Action>>

    /// - Parameter calls: The calls of the plugins that see actions, in order.
    init(_ calls: [PluginCall<Action>] = []) {
        all = FixedList(calls)
        afterReducers = FixedList(calls.reversed().filter(\.hasAfterReduce))
    }

    @inlinable
    func handle(_ action: Action, _ dispatcher: ActionSource) -> IO<Action> {
        var io = IO<Action>.pure()
        all.forEach { call in
            let answer = call.handle(action, dispatcher)
            if !answer.isPure { io = answer <> io }
        }
        return io
    }

    @inlinable
    func handle(_ action: Action, _ dispatcher: ActionSource, probe: any PipelineProbe) -> IO<Action> {
        var io = IO<Action>.pure()
        all.forEach { call in
            let answer = call.probedHandle(action, dispatcher, probe)
            if !answer.isPure { io = answer <> io }
        }
        return io
    }

    @inlinable
    func afterReduce(_ action: Action, _ dispatcher: ActionSource, _ output: AnyActionHandler<Action>) {
        afterReducers.forEach { $0.afterReduce(action, dispatcher, output) }
    }
}
