// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Synchronization

private let calls = Atomic<Int>(0)

/// Counts across all stores.
struct Chance: MiddlewareProtocol {
    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        guard case .say = action else { return .pure() }
        let number = calls.add(1, ordering: .relaxed).newValue
        return IO { $0.dispatch(.said(number)) }
    }
}

/// Sleeps on a clock of the system.
struct Outside: MiddlewareProtocol {
    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        guard case .say = action else { return .pure() }
        return IO { output in
            Task { output.dispatch(.said(1)) }
        }
    }
}

/// Has an `afterReduce` from its second action on.
final class LateAfterReduce: MiddlewareProtocol {
    private var count = 0

    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        count += 1
        return .pure()
    }

    var hasAfterReduce: Bool { count > 0 }

    func afterReduce(
        action: RuleAction,
        from: ActionSource,
        state: @escaping GetState<RuleState>,
        output: AnyActionHandler<RuleAction>
    ) {
        if case .say = action { output.dispatch(.said(0)) }
    }
}

/// Dispatches an urgent action after another one.
struct Overtaking: MiddlewareProtocol {
    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        guard case .say = action else { return .pure() }
        return IO { output in
            output.dispatch(.said(1))
            output.dispatch(urgent: .said(2))
        }
    }
}

/// Passes on in reverse order what an action's IO dispatches.
struct Reversing: MiddlewareWrapper {
    typealias InputActionType = RuleAction
    typealias OutputActionType = RuleAction
    typealias StateType = RuleState

    var base: RuleSubject

    private final class Kept: Sendable {
        let actions = Mutex<[DispatchedAction<OutputActionType>]>([])
    }

    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        let io = next(action, dispatcher, state)
        guard !io.isPure else { return .pure() }
        return IO { output in
            let kept = Kept()
            io.run { action in kept.actions.withLock { $0.append(action) } }
            for action in kept.actions.withLock({ $0 }).reversed() { output.dispatch(action) }
        }
    }
}

/// Keeps the ends of waits, so that they can be cancelled.
final class Waits: Sendable {
    let world: SimulatedWorld
    private let ends = Mutex<[AsyncStream<Never>.Continuation]>([])
    private let endsWithOwner: Bool

    init(world: SimulatedWorld, endsWithOwner: Bool) {
        self.world = world
        self.endsWithOwner = endsWithOwner
    }

    deinit {
        if endsWithOwner { cancelAll() }
    }

    func cancelAll() {
        for end in ends.withLock({ $0 }) { end.finish() }
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        let (stream, end) = AsyncStream<Never>.makeStream()
        ends.withLock { $0.append(end) }
        world.task("wait") { [clock = world.clock] in
            await withTaskGroup { group in
                group.addTask {
                    try? await clock.sleep(for: .milliseconds(30))
                    if !Task.isCancelled { body() }
                    end.finish()
                }
                for await _ in stream {}
                group.cancelAll()
            }
        }
    }
}

/// Answers later.
struct Waiting: MiddlewareProtocol {
    let waits: Waits
    let hasCanceller: Bool

    init(_ waits: Waits, hasCanceller: Bool) {
        self.waits = waits
        self.hasCanceller = hasCanceller
    }

    var effectCanceller: EffectCanceller {
        hasCanceller ? EffectCanceller { [weak waits] in waits?.cancelAll() } : .identity
    }

    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        guard case .say = action else { return .pure() }
        return IO { [weak waits] output in
            waits?.start { output.dispatch(.said(1)) }
        }
    }
}

/// Keeps itself by a closure.
final class Selfish: MiddlewareProtocol {
    private var count = 0
    private var countOne: (() -> Void)?

    init() {
        countOne = { self.count += 1 }
    }

    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        countOne?()
        return .pure()
    }
}

final class Client {
    var itself: Client?
}

/// Passes everything on, but with outputs that lose the run of an effect.
struct Runless: MiddlewareWrapper {
    typealias InputActionType = RuleAction
    typealias OutputActionType = RuleAction
    typealias StateType = RuleState

    var base: RuleSubject

    func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        next(action, dispatcher, state, AnyActionHandler { output.dispatch($0) })
    }
}

/// Forwards everything but probes.
struct Opaque<Base: MiddlewareProtocol>: MiddlewareProtocol {
    var base: Base

    mutating func bind(_ binding: MiddlewareBinding<Base.OutputActionType, Base.StateType>) { base.bind(binding) }

    var hasAfterReduce: Bool { base.hasAfterReduce }
    var effectCanceller: EffectCanceller { base.effectCanceller }

    func handle(
        action: Base.InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<Base.StateType>
    ) -> IO<Base.OutputActionType> {
        base.handle(action: action, from: dispatcher, state: state)
    }

    func afterReduce(
        action: Base.InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<Base.StateType>,
        output: AnyActionHandler<Base.OutputActionType>
    ) {
        base.afterReduce(action: action, from: dispatcher, state: state, output: output)
    }
}

/// Does nothing while a probe is set.
struct ShyOfProbes: MiddlewareProtocol {
    func handle(action: RuleAction, from: ActionSource, state: @escaping GetState<RuleState>) -> IO<RuleAction> {
        guard case .say = action else { return .pure() }
        return IO { $0.dispatch(.said(1)) }
    }

    func handle(
        action: RuleAction,
        from: ActionSource,
        state: @escaping GetState<RuleState>,
        probe: some PipelineProbe
    ) -> IO<RuleAction> {
        .pure()
    }
}

/// Shows the state of `handle` also in `afterReduce`.
struct Remembering: MiddlewareWrapper {
    typealias InputActionType = RuleAction
    typealias OutputActionType = RuleAction
    typealias StateType = RuleState

    private final class Memory { var state: StateType? }

    var base: RuleSubject
    private let memory = Memory()

    init(base: RuleSubject) {
        self.base = base
    }

    func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        memory.state = state()
        return next(action, dispatcher, state)
    }

    func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        let kept = memory.state ?? state()
        next(action, dispatcher, { kept }, output)
    }
}
