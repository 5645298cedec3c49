// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// Lifting in every form in which apps write it.
@Suite("Readme: lifting")
struct LiftTests {
    private let paused = Reducer<Void, Bool>.reduce { _, isPaused in isPaused.toggle() }

    private func level(after action: AppAction, of reducer: Reducer<AppAction, AppState>) -> Int {
        var state = AppState()
        reducer.reduce(action, &state)
        return state.playback.volume.level
    }

    @Test("a reducer, by closures and by key paths, both axes and one at a time")
    func reducers() {
        let forms: [Reducer<AppAction, AppState>] = [
            volumeReducer.lift(
                actionGetter: { (action: AppAction) in action.playback?.volume },
                stateGetter: { (state: AppState) in state.playback.volume },
                stateSetter: { (state: inout AppState, volume: Volume) in state.playback.volume = volume }
            ),
            volumeReducer.lift(
                actionGetter: { $0.playback?.volume },
                stateGetter: { $0.playback.volume },
                stateSetter: { $0.playback.volume = $1 }
            ),
            volumeReducer.lift(action: \AppAction.playback?.volume, state: \AppState.playback.volume),
            volumeReducer.lift(action: \.playback?.volume, state: \.playback.volume),
            volumeReducer.lift(state: \Playback.volume).lift(state: \AppState.playback)
                .lift(action: \AppAction.playback?.volume),
            volumeReducer.lift(action: \.volume).lift(action: \.playback).lift(state: \.playback.volume),
            volumeReducer.lift(action: \PlaybackAction.volume, state: \Playback.volume)
                .lift(action: \AppAction.playback, state: \AppState.playback),
        ]
        for form in forms {
            #expect(level(after: .playback(.volume(.louder)), of: form) == 6)
            #expect(level(after: .playback(.pause), of: form) == 5)
            #expect(level(after: .started, of: form) == 5)
        }
        let path: KeyPath<AppAction, VolumeAction?> = \.playback?.volume
        let kept = volumeReducer.lift(action: path, state: \AppState.playback.volume)
        #expect(level(after: .playback(.volume(.softer)), of: kept) == 4)
    }

    @Test("a reducer of an action without a value, and one without a state")
    func voids() {
        var state = AppState()
        let onStart: Reducer<AppAction, AppState> = paused.lift(action: \.started, state: \.playback.isPaused)
        onStart.reduce(.started, &state)
        #expect(state.playback.isPaused)

        let count = Shared(0)
        let stateless = Reducer<AppAction, Void>.reduce { _, _ in count.update { $0 += 1 } }
        let lifted: Reducer<AppAction, AppState> = stateless.lift(
            actionGetter: identity,
            stateGetter: ignore,
            stateSetter: { _, _ in }
        )
        lifted.reduce(.started, &state)
        #expect(count.value == 1)
    }

    /// Mutes at each pause, whatever the state.
    private let muter = AnyMiddleware<PlaybackAction, VolumeAction, Void> { action, dispatcher, _ in
        guard case .pause = action else { return .pure() }
        return IO { output in output.dispatch(.mute, from: dispatcher) }
    }

    private struct Muter: MiddlewareProtocol {
        func handle(
            action: PlaybackAction,
            from dispatcher: ActionSource,
            state: @escaping GetState<Volume>
        ) -> IO<VolumeAction> {
            guard case .pause = action, !state().isMuted else { return .pure() }
            return IO { output in output.dispatch(.mute, from: dispatcher) }
        }
    }

    private func outputs<M: MiddlewareProtocol>(
        of middleware: M,
        at actions: AppAction...
    ) -> [AppAction] where M.InputActionType == AppAction, M.OutputActionType == AppAction, M.StateType == AppState {
        let outputs = Recorder<AppAction>()
        for action in actions {
            middleware.handle(action: action, from: .here(), state: { AppState() }).run { outputs.record($0.action) }
        }
        return outputs.all
    }

    private let muted = [AppAction.playback(.volume(.mute))]

    @Test("a middleware, by closures, functions, cases and key paths, all axes at once")
    func middlewares() {
        let byClosures = Muter().lift(
            inputAction: { (action: AppAction) in action.playback },
            outputAction: { AppAction.playback(.volume($0)) },
            state: { (state: AppState) in state.playback.volume }
        )
        let byPaths = Muter().lift(
            inputAction: \AppAction.playback,
            outputAction: { AppAction.playback(.volume($0)) },
            state: \AppState.playback.volume
        )
        let byCases = Muter().lift(outputAction: PlaybackAction.volume).lift(outputAction: AppAction.playback)
            .lift(inputAction: \AppAction.playback).lift(state: \AppState.playback.volume)
        #expect(outputs(of: byClosures, at: .playback(.pause), .started) == muted)
        #expect(outputs(of: byPaths, at: .playback(.pause), .started) == muted)
        #expect(outputs(of: byCases, at: .playback(.pause), .started) == muted)
    }

    @Test("a middleware, two axes at a time")
    func twoAxes() {
        @Sendable func output(_ action: VolumeAction) -> AppAction { .playback(.volume(action)) }
        let withoutState = Muter().lift(inputAction: \AppAction.playback, outputAction: output)
            .lift(state: \AppState.playback.volume)
        let withoutOutput = Muter().lift(inputAction: \AppAction.playback, state: \AppState.playback.volume)
            .lift(outputAction: output)
        let withoutInput = Muter().lift(outputAction: output, state: { (state: AppState) in state.playback.volume })
            .lift(inputAction: { (action: AppAction) in action.playback })
        #expect(outputs(of: withoutState, at: .playback(.pause)) == muted)
        #expect(outputs(of: withoutOutput, at: .playback(.pause)) == muted)
        #expect(outputs(of: withoutInput, at: .playback(.pause)) == muted)
    }

    @Test("erased, composed and empty middlewares stay what they are")
    func kinds() {
        let erased: AnyMiddleware<AppAction, AppAction, AppState> = Muter().eraseToAnyMiddleware()
            .lift(
                inputAction: \.playback,
                outputAction: { .playback(.volume($0)) },
                state: \.playback.volume
            )
        let composed: ComposedMiddleware<AppAction, AppAction, AppState> =
            (Muter() <> Muter() as ComposedMiddleware<PlaybackAction, VolumeAction, Volume>)
            .lift(
                inputAction: { $0.playback },
                outputAction: { .playback(.volume($0)) },
                state: { $0.playback.volume }
            )
        let nothing: IdentityMiddleware<AppAction, AppAction, AppState> =
            IdentityMiddleware<PlaybackAction, VolumeAction, Volume>()
            .lift(
                inputAction: \.playback,
                outputAction: { .playback(.volume($0)) },
                state: \.playback.volume
            )
        #expect(outputs(of: erased, at: .playback(.pause)) == muted)
        #expect(outputs(of: composed, at: .playback(.pause)) == muted + muted)
        #expect(outputs(of: nothing, at: .playback(.pause)) == [])
    }

    @Test("Never for outputs, Void for state: absurd, ignore and identity")
    func helpers() {
        let lines = Recorder<String>()
        let write: @Sendable (String) -> Void = { lines.record($0) }
        let logger = LogMiddleware<AppAction, AppState>(write: write)
        let whole: AnyMiddleware<AppAction, AppAction, AppState> = logger.lift(
            inputAction: identity,
            outputAction: absurd,
            state: identity
        ).eraseToAnyMiddleware()
        let outputOnly: AnyMiddleware<AppAction, AppAction, AppState> =
            logger.lift(outputAction: absurd).eraseToAnyMiddleware()
        let closures = logger.lift(
            inputAction: { (action: AppAction) in action },
            outputAction: { (never: Never) -> AppAction in },
            state: { (state: AppState) in state }
        )
        #expect(outputs(of: whole, at: .started) == [])
        #expect(outputs(of: outputOnly, at: .started) == [])
        #expect(outputs(of: closures, at: .started) == [])
        #expect(lines.count == 3)

        let stateless: AnyMiddleware<AppAction, AppAction, AppState> = muter.lift(
            inputAction: { $0.playback },
            outputAction: { .playback(.volume($0)) },
            state: ignore
        )
        let axisByAxis = muter.lift(state: { (state: AppState) in ignore(state) })
            .lift(inputAction: \AppAction.playback).lift(outputAction: { AppAction.playback(.volume($0)) })
        #expect(outputs(of: stateless, at: .playback(.pause)) == muted)
        #expect(outputs(of: axisByAxis, at: .playback(.pause)) == muted)
    }
}
