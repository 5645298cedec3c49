// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceEffects

/// The middleware that ``MiddlewareRules`` puts into a wrapper: it runs effects, dispatches several actions at once,
/// and checks the state that it reads.
public struct RuleSubject: MiddlewareProtocol {
    /// The actions it sees.
    public typealias InputActionType = RuleAction
    /// The actions it dispatches.
    public typealias OutputActionType = RuleAction
    /// The state it can read.
    public typealias StateType = RuleState

    typealias Effects = SimpleEffectMiddleware<RuleAction, RuleState>

    // A concrete type, because an erased one would not use the state getter that the wrapper passes on.
    private var inner: NamedMiddleware<ObservedMiddleware<Chain<RuleWitness, Effects>>>

    static var name: MiddlewareName { "middleware in the wrapper" }

    init(_ world: SimulatedWorld, _ log: RuleLog) {
        let effects = Effects.onAction { action, _, _ in
            switch action {
            case .start(let token):
                return Effect.stream(token: token) { [clock = world.clock] _ in Ending(token: token, clock: clock) }
            case .cancel(let token): return .toCancel(token)
            default: return .doNothing
            }
        }
        let witness = RuleWitness(log)
        world.mustRelease(witness.mark, "the middleware in the wrapper")
        inner = ObservedMiddleware(witness <> effects, log).named(Self.name)
    }

    /// Calls `handle` of the middleware inside.
    @preconcurrency
    public func handle(
        action: RuleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<RuleState>
    ) -> IO<RuleAction> {
        inner.handle(action: action, from: dispatcher, state: state)
    }

    /// Calls `handle` of the middleware inside, and passes the probe on.
    public func handle(
        action: RuleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<RuleState>,
        probe: some PipelineProbe
    ) -> IO<RuleAction> {
        inner.handle(action: action, from: dispatcher, state: state, probe: probe)
    }

    /// Calls `afterReduce` of the middleware inside.
    public func afterReduce(
        action: RuleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<RuleState>,
        output: AnyActionHandler<RuleAction>
    ) {
        inner.afterReduce(action: action, from: dispatcher, state: state, output: output)
    }

    /// The canceller of the effects inside.
    public var effectCanceller: EffectCanceller { inner.effectCanceller }

    /// Binds the middleware inside.
    public mutating func bind(_ binding: MiddlewareBinding<RuleAction, RuleState>) {
        inner.bind(binding)
    }

    static let reducer = Reducer<RuleAction, RuleState>.reduce { action, state in
        state.handled += 1
        switch action {
        case .ended: state.ended += 1
        case .note(let number): state.note = number
        default: break
        }
    }

    static let actions: [RuleAction] = [
        .start(1), .say(3), .start(2), .start(3), .cancel(1), .note(1), .say(2), .cancel(3), .start(4), .start(1),
        .cancel(2), .note(0), .cancel(4), .start(9), .say(4), .cancel(9), .start(3), .start(14),
    ]
}

/// Sleeps, dispatches `ended`, and sleeps again. During the second sleep, the effect can still be cancelled, together
/// with the action that it has dispatched.
private struct Ending: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let token: Int
    let clock: SimulatedClock
    private var hasSpoken = false

    init(token: Int, clock: SimulatedClock) {
        self.token = token
        self.clock = clock
    }

    func makeAsyncIterator() -> Ending { self }

    mutating func next() async -> RuleAction? {
        if hasSpoken {
            try? await clock.sleep(for: .milliseconds(2))
            return nil
        }
        if token % 3 > 0 { try? await clock.sleep(for: .milliseconds(token % 3)) }
        hasSpoken = true
        return .ended(token)
    }
}
