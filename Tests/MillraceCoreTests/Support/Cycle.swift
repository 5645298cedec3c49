// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport

/// One action through the pipeline, in a store's order: handle, reduce, afterReduce, work.
func cycle<Middleware: MiddlewareProtocol>(
    _ middleware: Middleware,
    _ action: Middleware.InputActionType,
    from source: ActionSource = .a,
    state: Shared<Middleware.StateType>,
    reducer: Reducer<Middleware.InputActionType, Middleware.StateType> = .identity,
    probe: (any PipelineProbe)? = nil,
    output: SinkSpy<Middleware.OutputActionType>
) where Middleware.StateType: Sendable, Middleware.OutputActionType: Sendable {
    let getState: GetState<Middleware.StateType> = { state.value }
    let handler = AnyActionHandler(sink: output, cause: ActionCause(parent: 5, root: 3))
    let io =
        if let probe {
            middleware.handle(action: action, from: source, state: getState, probe: probe)
        } else {
            middleware.handle(action: action, from: source, state: getState)
        }
    var value = state.value
    reducer.reduce(action, &value)
    state.value = value
    if middleware.hasAfterReduce {
        middleware.afterReduce(action: action, from: source, state: getState, output: handler)
    }
    io.run(handler)
}

/// A middleware and the same one bound, which must behave alike; a store only uses the second.
func unboundAndBound<Middleware: MiddlewareProtocol>(
    _ middleware: Middleware,
    state: Shared<Middleware.StateType>
) -> [Middleware] where Middleware.StateType: Sendable {
    [middleware, middleware.bound(to: { state.value })]
}
