// SPDX-License-Identifier: Apache-2.0

import Millrace

/// Hides the actions below a level from a middleware. It checks the level first, because usually that leaves out all
/// events, and it does not copy an action, as the closure of a lift would.
struct LeveledMiddleware<Base: MiddlewareProtocol>: MiddlewareProtocol
where Base.InputActionType == LogAction, Base.OutputActionType == LogAction, Base.StateType == LogState {
    typealias InputActionType = LogAction
    typealias OutputActionType = LogAction
    typealias StateType = LogState

    private var base: Base
    private let level: LogLevelChoice
    /// Read instead of the getter of `handle`. To pass the getter on costs an allocation for every action, even for the
    /// hidden ones: see `MiddlewareProtocol`.
    private var state: StateReader<LogState>?

    init(_ base: Base, level: LogLevelChoice) {
        self.base = base
        self.level = level
    }

    mutating func bind(_ binding: MiddlewareBinding<LogAction, LogState>) {
        state = binding.state
        base.bind(binding)
    }

    var hasAfterReduce: Bool { base.hasAfterReduce }

    func handle(
        action: LogAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<LogState>
    ) -> IO<LogAction> {
        guard LogLevelChoice(of: action) >= level, let state = self.state else { return .pure() }
        return base.handle(action: action, from: dispatcher, state: { state() })
    }

    func afterReduce(
        action: LogAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<LogState>,
        output: AnyActionHandler<LogAction>
    ) {
        guard LogLevelChoice(of: action) >= level, let state = self.state else { return }
        base.afterReduce(action: action, from: dispatcher, state: { state() }, output: output)
    }
}

extension LogLevelChoice: Comparable {
    /// Creates the level of an action.
    init(of action: LogAction) {
        self =
            switch action {
            case .event, .define: .trace
            case .chunkRead: .debug
            case .inputEnded, .recovered, .began: .info
            case .malformed: .notice
            case .alert: .warning
            }
    }

    static func < (first: LogLevelChoice, second: LogLevelChoice) -> Bool { first.severity < second.severity }

    // Called for each action. The list of all cases would be made again for each call.
    private var severity: Int {
        switch self {
        case .trace: 0
        case .debug: 1
        case .info: 2
        case .notice: 3
        case .warning: 4
        case .error: 5
        }
    }
}
