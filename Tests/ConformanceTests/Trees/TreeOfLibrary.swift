// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport

// The tree, put together with the library: at each knot one of the ways which should all mean the same.

extension Tree {
    func worldReducer() -> Reducer<WorldAction, World> {
        reducer { place, inner, form in
            let part = inner.partReducer()
            guard case .half(let half) = place else {
                return form % 2 == 0
                    ? part.liftToCollection(action: \.piece, stateCollection: \.pieces)
                    : part.liftToCollection(action: \.piece, stateCollection: \.pieces, identifier: \.id)
            }
            let path: WritableKeyPath<World, Part> = half == .first ? \.first : \.second
            return form % 2 == 0
                ? part.lift(action: { $0.reaching(half) }, state: path)
                : part.lift(
                    actionGetter: { $0.reaching(half) },
                    stateGetter: { half == .first ? $0.first : $0.second },
                    stateSetter: { world, part in if half == .first { world.first = part } else { world.second = part }
                    }
                )
        }
    }

    private func partReducer() -> Reducer<PartAction, Part> {
        reducer { place, inner, _ in
            guard case .half(let half) = place else { return .identity }
            return inner.reducer { _, _, _ in .identity }
                .lift(action: { $0.reaching(half) }, state: half == .first ? \.first : \.second)
        }
    }

    private func reducer<Action: Wave, State: Numbers>(
        lift: (Place, Tree, _ form: Int) -> Reducer<Action, State>
    ) -> Reducer<Action, State> {
        switch self {
        case .nothing:
            return .identity
        case .leaf(let leaf):
            return .reduce { stir(&$1.numbers, id: leaf.id, strength: $0.strength, shape: $0.shape) }
        case .together(let parts, let form):
            let parts = parts.map { $0.reducer(lift: lift) }
            // From the left and from the right: composition is associative.
            return form % 2 == 0
                ? parts.reduce(.identity, <>) : parts.reversed().reduce(.identity) { later, part in part <> later }
        case .lifted(let place, let inner, let form):
            return lift(place, inner, form)
        }
    }
}

extension Tree {
    typealias Erased<Action, State> = AnyMiddleware<Action, Action, State>

    func worldMiddleware(_ log: Recorder<String>) -> Erased<WorldAction, World> {
        middleware(log) { place, inner, form in
            guard case .half(let half) = place else { return Self.liftToPieces(inner.partMiddleware(log), form) }
            return Self.lift(
                inner.partMiddleware(log),
                form,
                input: { $0.reaching(half) },
                output: { .part(half, $0) },
                state: half == .first ? \.first : \.second
            )
        }
    }

    private func partMiddleware(_ log: Recorder<String>) -> Erased<PartAction, Part> {
        middleware(log) { place, inner, form in
            guard case .half(let half) = place else { return IdentityMiddleware().eraseToAnyMiddleware() }
            return Self.lift(
                inner.middleware(log) { _, _, _ in IdentityMiddleware().eraseToAnyMiddleware() },
                form,
                input: { $0.reaching(half) },
                output: { .number(half, $0) },
                state: half == .first ? \.first : \.second
            )
        }
    }

    private static func liftToPieces(_ part: Erased<PartAction, Part>, _ form: Int) -> Erased<WorldAction, World> {
        switch form % 3 {
        case 0:
            return part.liftToCollection(
                inputAction: { (action: WorldAction) in action.piece },
                outputAction: { .piece($0) },
                state: { (world: World) in world.pieces }
            )
            .eraseToAnyMiddleware()
        case 1:
            return part.liftToCollection(action: \WorldAction.piece, stateCollection: \World.pieces)
                .eraseToAnyMiddleware()
        default:
            return NamedTwice(part).liftToCollection(action: \WorldAction.piece, stateCollection: \World.pieces)
                .eraseToAnyMiddleware()
        }
    }

    private static func lift<GlobalAction, GlobalState, Action, State>(
        _ part: Erased<Action, State>,
        _ form: Int,
        input: @escaping @Sendable (GlobalAction) -> Action?,
        output: @escaping @Sendable (Action) -> GlobalAction,
        state: KeyPath<GlobalState, State>
    ) -> Erased<GlobalAction, GlobalState> {
        nonisolated(unsafe) let path = state
        switch form % 4 {
        case 0:
            // The erased one's own lift.
            return part.lift(inputAction: input, outputAction: output, state: { $0[keyPath: path] })
        case 1:
            // A type that is not erased, and a state that is read by its place.
            return NamedTwice(part).lift(inputAction: input, outputAction: output).lift(statePath: state)
                .eraseToAnyMiddleware()
        case 2:
            // An axis at a time.
            return part.lift(state: { $0[keyPath: path] }).lift(outputAction: output).lift(inputAction: input)
        default:
            return (ComposedMiddleware() <> part).lift(
                inputAction: input,
                outputAction: output,
                state: { $0[keyPath: path] }
            )
            .eraseToAnyMiddleware()
        }
    }

    private func middleware<Action: Wave, State: Numbers>(
        _ log: Recorder<String>,
        lift: (Place, Tree, _ form: Int) -> Erased<Action, State>
    ) -> Erased<Action, State> {
        switch self {
        case .nothing:
            return IdentityMiddleware().eraseToAnyMiddleware()
        case .leaf(let leaf):
            return leaf.answer == .work
                ? Worker<Action, State>(leaf: leaf, log: log).eraseToAnyMiddleware()
                : Witness<Action, State>(leaf: leaf, log: log).eraseToAnyMiddleware()
        case .together(let parts, let form):
            let parts = parts.map { $0.middleware(log, lift: lift) }
            return Self.compose(parts, form)
        case .lifted(let place, let inner, let form):
            return lift(place, inner, form)
        }
    }

    private static func compose<Action, State>(
        _ parts: [Erased<Action, State>],
        _ form: Int
    ) -> Erased<Action, State> {
        let none = IdentityMiddleware<Action, Action, State>().eraseToAnyMiddleware()
        switch form % 3 {
        case 0:
            return parts.reduce(none) { ($0 <> $1).eraseToAnyMiddleware() }
        case 1:
            var composed = ComposedMiddleware<Action, Action, State>()
            for part in parts { composed.append(middleware: part) }
            return composed.eraseToAnyMiddleware()
        default:
            return parts.reversed().reduce(none) { later, part in
                (NamedTwice(part) <> later).eraseToAnyMiddleware()
            }
        }
    }
}

/// Hides that a middleware is an erased one, so that the concrete ways of the library are taken.
private func NamedTwice<Action, State>(
    _ middleware: AnyMiddleware<Action, Action, State>
) -> NamedMiddleware<NamedMiddleware<AnyMiddleware<Action, Action, State>>> {
    middleware.named("inner").named("outer")
}

/// Looks at the state in its work.
private struct Worker<Action: Wave, State: Numbers>: MiddlewareProtocol {
    let leaf: Leaf
    let log: Recorder<String>

    func handle(action: Action, from: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
        log.record("handle \(leaf.id) \(action.strength) \(action.shape) \(state().numbers)")
        let (leaf, log, strength, shape) = (leaf, log, action.strength, action.shape)
        return IO { output in
            log.record("work \(leaf.id) \(strength) \(shape) \(state().numbers)")
            if let strength = echo(of: strength, id: leaf.id) { output.dispatch(.echo(strength)) }
        }
    }
}

/// Looks at the state without a closure an action, and perhaps in a work, too.
private struct Witness<Action: Wave, State: Numbers>: MiddlewareProtocol {
    let leaf: Leaf
    let log: Recorder<String>

    func handle(action: Action, from dispatcher: ActionSource, state: @escaping GetState<State>) -> IO<Action> {
        let worker = Worker<Action, State>(leaf: leaf, log: log)
        let io = worker.handle(action: action, from: dispatcher, state: state)
        return leaf.answer == .both ? io : .pure()
    }

    func afterReduce(
        action: Action,
        from: ActionSource,
        state: @escaping GetState<State>,
        output: AnyActionHandler<Action>
    ) {
        log.record("after \(leaf.id) \(action.strength) \(action.shape) \(state().numbers)")
        if let strength = echo(of: action.strength, id: leaf.id) { output.dispatch(.echo(strength)) }
    }
}
