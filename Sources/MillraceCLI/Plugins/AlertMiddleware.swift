// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects

/// The middleware of an ``AlertWatch`` for the stores. It skips the effect middleware for events, because there are
/// millions of them.
///
/// The pipeline calls an effect middleware twice per action, and passes it an output. This middleware calls it only for
/// the actions that it needs, in an IO. It returns no IO for the other actions.
struct AlertMiddleware: MiddlewareProtocol {
    typealias InputActionType = LogAction
    typealias OutputActionType = LogAction
    typealias StateType = LogState

    private var effects: SimpleEffectMiddleware<LogAction, LogState>
    /// Read instead of the getter of `handle`. An IO that captures the getter costs an allocation for every action,
    /// because Swift makes it before `handle` looks at the action.
    private var state: StateReader<LogState>?

    init(_ effects: SimpleEffectMiddleware<LogAction, LogState>) {
        self.effects = effects
    }

    /// The number of running effects, each of which may wait for alerts.
    var runningEffects: Int { effects.runningEffects }

    var effectCanceller: EffectCanceller { effects.effectCanceller }

    mutating func bind(_ binding: MiddlewareBinding<LogAction, LogState>) {
        state = binding.state
        effects.bind(binding)
    }

    func handle(
        action: LogAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<LogState>
    ) -> IO<LogAction> {
        switch action {
        case .event, .began, .define, .malformed, .recovered: return .pure()
        case .chunkRead, .inputEnded, .alert:
            guard let state = self.state else { return .pure() }
            return IO { [effects] output in
                effects.afterReduce(action: action, from: dispatcher, state: { state() }, output: output)
            }
        }
    }
}
