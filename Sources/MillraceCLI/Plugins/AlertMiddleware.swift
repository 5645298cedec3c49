// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects

/// The middleware of an ``AlertWatch`` as the stores have it: it passes events by, of which there are millions.
///
/// An effect middleware is told of each action twice, and given an output to dispatch by. This one answers with a work
/// that tells it where it is concerned, and events with nothing.
struct AlertMiddleware: MiddlewareProtocol {
    typealias InputActionType = LogAction
    typealias OutputActionType = LogAction
    typealias StateType = LogState

    private var effects: SimpleEffectMiddleware<LogAction, LogState>

    init(_ effects: SimpleEffectMiddleware<LogAction, LogState>) {
        self.effects = effects
    }

    /// How many alerts wait.
    var runningEffects: Int { effects.runningEffects }

    var effectCanceller: EffectCanceller { effects.effectCanceller }

    mutating func bind(to state: @escaping GetState<LogState>) {
        effects.bind(to: state)
    }

    func handle(
        action: LogAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<LogState>
    ) -> IO<LogAction> {
        switch action {
        case .event, .define, .malformed, .recovered: .pure()
        case .chunkRead, .inputEnded, .alert:
            IO { [effects] output in
                effects.afterReduce(action: action, from: dispatcher, state: state, output: output)
            }
        }
    }
}
