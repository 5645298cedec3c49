// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// Middlewares alone: called without a store, with a state and an output of the test's.
@Suite("Readme: middlewares")
struct MiddlewareTests {
    @Test("the logger sees the state before and after, and where an action came from")
    func logger() {
        let lines = Recorder<String>()
        let state = Shared(Volume())
        let logger = LogMiddleware<VolumeAction, Volume>(write: { lines.record($0) })
        let source = ActionSource(file: "Player/Knob.swift", function: "turn()", line: 12, info: nil)
        let io = logger.handle(action: .louder, from: source, state: { state.value })
        #expect(lines.count == 0)
        state.update { volumeReducer.reduce(.louder, &$0) }
        io.run { _ in }
        #expect(
            lines.all == [
                "louder from turn():12: Volume(level: 5, isMuted: false) -> Volume(level: 6, isMuted: false)"
            ]
        )
    }

    @Test("the favourites middleware asks for the opposite of the state before, and answers what came of it")
    func favourites() {
        let asked = Recorder<String>()
        let outputs = Recorder<FavouritesAction>()
        let middleware = FavouritesMiddleware { movie, isFavourite, answer in
            asked.record("\(movie) \(isFavourite)")
            answer(movie == 3 ? .failure(.offline) : .success(()))
        }
        let state = Shared(Favourites(movies: [1]))
        for movie in 1...3 {
            middleware.handle(action: .toggle(movie: movie), from: .here(), state: { state.value })
                .run { outputs.record($0.action) }
        }
        middleware.handle(action: .refused(movie: 1), from: .here(), state: { state.value })
            .run { outputs.record($0.action) }
        #expect(asked.all == ["1 false", "2 true", "3 true"])
        #expect(
            outputs.all == [
                .changed(movie: 1, isFavourite: false), .changed(movie: 2, isFavourite: true), .refused(movie: 3),
            ]
        )
    }

    @Test("work of a middleware that is gone does nothing, if it says so")
    func weakSelf() {
        let asked = Recorder<Int>()
        var middleware: CatalogueMiddleware? = CatalogueMiddleware { page, _ in asked.record(page) }
        let kept = middleware?.handle(action: .load(page: 1), from: .here(), state: { Catalogue() })
        middleware = nil
        kept?.run { _ in }
        #expect(asked.count == 0)
    }

    @Test("a middleware made of a closure; IO mapped, chained and appended")
    func closures() {
        let outputs = Recorder<AppAction>()
        let middleware = AnyMiddleware<VolumeAction, VolumeAction, Volume> { action, _, state in
            guard action == .louder, state().level == 10 else { return .pure() }
            return IO { output in output.dispatch(.mute) }
        }
        let io = middleware.handle(action: .louder, from: .here(), state: { Volume(level: 10) })
        let twice = io.map { AppAction.playback(.volume($0)) }
            .flatMap { dispatched in
                IO { output in
                    output.dispatch(dispatched)
                    output.dispatch(.started, from: dispatched.dispatcher)
                }
            }
        (twice <> IO { $0.dispatch(.playback(.pause)) } <> .identity).run { outputs.record($0.action) }
        #expect(outputs.all == [.playback(.volume(.mute)), .started, .playback(.pause)])
    }
}
