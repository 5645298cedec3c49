// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private struct World: Sendable {
    var number = 7
}

@Suite("MiddlewareReader.lift")
struct MiddlewareReaderLiftTests {
    private let check = LiftCheck()
    private let injected = Recorder<Int>()

    private var reader: MiddlewareReader<Int, LiftCheck.Part> {
        let (check, injected) = (check, injected)
        return MiddlewareReader {
            injected.record($0)
            return check.part
        }
    }

    @Test("every non-empty set of the four axes")
    func everySubset() {
        check.all(
            reader.lift(
                inputAction: \AppAction.auth,
                outputAction: AppAction.auth,
                state: \AppState.auth,
                dependencies: \World.number
            ).inject(World())
        )
        check.all(
            reader.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth).inject(7)
        )
        check.inputAndOutput(
            reader.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, dependencies: \World.number).inject(
                World()
            )
        )
        check.inputAndState(
            reader.lift(inputAction: \AppAction.auth, state: \AppState.auth, dependencies: \World.number).inject(
                World()
            )
        )
        check.outputAndState(
            reader.lift(outputAction: AppAction.auth, state: \AppState.auth, dependencies: \World.number).inject(
                World()
            )
        )
        check.inputAndOutput(reader.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth).inject(7))
        check.inputAndState(reader.lift(inputAction: \AppAction.auth, state: \AppState.auth).inject(7))
        check.input(reader.lift(inputAction: \AppAction.auth, dependencies: \World.number).inject(World()))
        check.outputAndState(reader.lift(outputAction: AppAction.auth, state: \AppState.auth).inject(7))
        check.output(reader.lift(outputAction: AppAction.auth, dependencies: \World.number).inject(World()))
        check.state(reader.lift(state: \AppState.auth, dependencies: \World.number).inject(World()))
        check.input(reader.lift(inputAction: \AppAction.auth).inject(7))
        check.output(reader.lift(outputAction: AppAction.auth).inject(7))
        check.state(reader.lift(state: \AppState.auth).inject(7))
        let part: LiftCheck.Part = reader.lift(dependencies: \World.number).inject(World())
        #expect(part.hasAfterReduce)
        #expect(injected.all == Array(repeating: 7, count: 15))
    }

    @Test("every set, where a reader of an erased middleware is asked for")
    func everySubsetErased() {
        let byInputOutputStateWorld: MiddlewareReader<World, AnyMiddleware<AppAction, AppAction, AppState>> =
            reader.lift(
                inputAction: \AppAction.auth,
                outputAction: AppAction.auth,
                state: \AppState.auth,
                dependencies: \World.number
            )
        check.all(byInputOutputStateWorld.inject(World()))
        let byInputOutputState: MiddlewareReader<Int, AnyMiddleware<AppAction, AppAction, AppState>> =
            reader.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, state: \AppState.auth)
        check.all(byInputOutputState.inject(7))
        let byInputOutputWorld: MiddlewareReader<World, AnyMiddleware<AppAction, AppAction, AuthState>> =
            reader.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth, dependencies: \World.number)
        check.inputAndOutput(byInputOutputWorld.inject(World()))
        let byInputStateWorld: MiddlewareReader<World, AnyMiddleware<AppAction, AuthAction, AppState>> =
            reader.lift(inputAction: \AppAction.auth, state: \AppState.auth, dependencies: \World.number)
        check.inputAndState(byInputStateWorld.inject(World()))
        let byOutputStateWorld: MiddlewareReader<World, AnyMiddleware<AuthAction, AppAction, AppState>> =
            reader.lift(outputAction: AppAction.auth, state: \AppState.auth, dependencies: \World.number)
        check.outputAndState(byOutputStateWorld.inject(World()))
        let byInputOutput: MiddlewareReader<Int, AnyMiddleware<AppAction, AppAction, AuthState>> =
            reader.lift(inputAction: \AppAction.auth, outputAction: AppAction.auth)
        check.inputAndOutput(byInputOutput.inject(7))
        let byInputState: MiddlewareReader<Int, AnyMiddleware<AppAction, AuthAction, AppState>> =
            reader.lift(inputAction: \AppAction.auth, state: \AppState.auth)
        check.inputAndState(byInputState.inject(7))
        let byInputWorld: MiddlewareReader<World, AnyMiddleware<AppAction, AuthAction, AuthState>> =
            reader.lift(inputAction: \AppAction.auth, dependencies: \World.number)
        check.input(byInputWorld.inject(World()))
        let byOutputState: MiddlewareReader<Int, AnyMiddleware<AuthAction, AppAction, AppState>> =
            reader.lift(outputAction: AppAction.auth, state: \AppState.auth)
        check.outputAndState(byOutputState.inject(7))
        let byOutputWorld: MiddlewareReader<World, AnyMiddleware<AuthAction, AppAction, AuthState>> =
            reader.lift(outputAction: AppAction.auth, dependencies: \World.number)
        check.output(byOutputWorld.inject(World()))
        let byStateWorld: MiddlewareReader<World, AnyMiddleware<AuthAction, AuthAction, AppState>> =
            reader.lift(state: \AppState.auth, dependencies: \World.number)
        check.state(byStateWorld.inject(World()))
        let byInput: MiddlewareReader<Int, AnyMiddleware<AppAction, AuthAction, AuthState>> =
            reader.lift(inputAction: \AppAction.auth)
        check.input(byInput.inject(7))
        let byOutput: MiddlewareReader<Int, AnyMiddleware<AuthAction, AppAction, AuthState>> =
            reader.lift(outputAction: AppAction.auth)
        check.output(byOutput.inject(7))
        let byState: MiddlewareReader<Int, AnyMiddleware<AuthAction, AuthAction, AppState>> =
            reader.lift(state: \AppState.auth)
        check.state(byState.inject(7))
        #expect(injected.all == Array(repeating: 7, count: 14))
    }

    @Test("where a reader of a composite is asked for, its parts are lifted one by one and identities vanish")
    func composite() {
        typealias Composed<Action, State> = ComposedMiddleware<Action, Action, State>
        let reader: MiddlewareReader<Int, Composed<AuthAction, AuthState>> =
            reader <> MiddlewareReader<Int, Composed<AuthAction, AuthState>>.identity
        let lifted: MiddlewareReader<World, Composed<AppAction, AppState>> =
            reader.lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth, dependencies: \.number)
        check.all(lifted.inject(World()))
        #expect(lifted.inject(World()).count == 2)
        let nothing: MiddlewareReader<Int, Composed<AppAction, AuthState>> =
            MiddlewareReader<Int, LiftCheck.Part>.identity.lift(inputAction: \.auth, outputAction: AppAction.auth)
        #expect(nothing.inject(1).count == 0)
    }
}
