// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The plugins of a store as one middleware: the last one in the store's chain.
@usableFromInline
struct PluginHost<Action, State>: MiddlewareProtocol {
    @usableFromInline let list: PluginList<Action, State>

    @inlinable
    init(_ list: PluginList<Action, State>) {
        self.list = list
    }

    @inlinable
    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
        list.isIdle ? .pure() : list.handle(action, dispatcher)
    }

    @inlinable
    func handle(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        probe: some PipelineProbe
    ) -> IO<Action> {
        list.isIdle ? .pure() : list.handle(action, dispatcher, probe: probe)
    }

    @inlinable
    var hasAfterReduce: Bool { list.hasAfterReduce }

    @inlinable
    func afterReduce(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>,
        output: AnyActionHandler<Action>
    ) {
        if list.hasAfterReduce { list.afterReduce(action, dispatcher, output) }
    }

    @inlinable
    mutating func bind(_ binding: MiddlewareBinding<Action, State>) {
        list.bind(binding)
    }
}
