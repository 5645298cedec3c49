// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// The whole app: actions with prisms, states, reducers, middlewares with a service, a store that is a subclass.
@Suite("Readme: movie app", .timeLimit(.minutes(5)))
@MainActor
struct MovieAppTests {
    private func finish(_ store: MovieStore) async {
        while store.metrics.pending > 0 { await store.drain() }
    }

    @Test("start, load a page, change favourites, hear of a refusal")
    func session() async {
        let store = MovieStore(world: .test(refusing: [2]))
        let titles = Recorder<[String]>()
        let subscription = store.statePublisher
            .map { state in state.catalogue.movies.map(\.title) }
            .removeDuplicates()
            .sink { @Sendable in titles.record($0) }

        store.dispatch(.started)
        store.dispatch(.favourites(.toggle(movie: 1)))
        store.dispatch(.favourites(.toggle(movie: 2)))
        await finish(store)

        #expect(titles.all == [[], ["Metropolis", "Sunrise"]])
        #expect(store.state.favourites == Favourites(movies: [1]))
        store.dispatch(.favourites(.toggle(movie: 1)))
        await finish(store)
        #expect(store.state.favourites == Favourites())
        subscription.cancel()
    }

    @Test("a failure of the service arrives as an action")
    func failure() async {
        let store = MovieStore(world: .test(pages: []))
        store.dispatch(.catalogue(.load(page: 3)))
        #expect(store.state.catalogue.isLoading)
        await finish(store)
        #expect(store.state.catalogue == Catalogue(problem: "offline"))
    }

    @Test("a service that answers later, from another thread")
    func later() async {
        let held = Shared<[World.Answer<[Movie]>]>([])
        var world = World.test()
        world.fetchPage = { _, answer in held.update { $0.append(answer) } }
        let store = MovieStore(world: world)
        store.dispatch(.started)
        await finish(store)
        #expect(held.value.count == 1)
        await elsewhere { held.value.first?(.success([Movie(id: 7, title: "Faust")])) }
        await finish(store)
        #expect(store.state.catalogue.movies.map(\.id) == [7])
    }

    @Test("prisms read, write their own case, and leave another case alone")
    func prisms() {
        var action = AppAction.playback(.volume(.louder))
        #expect(action.playback?.volume == .louder)
        action.playback?.volume = .mute
        #expect(action == .playback(.volume(.mute)))
        action.catalogue = .load(page: 1)
        action.playback = nil
        #expect(action == .playback(.volume(.mute)))
        #expect(AppAction.started.started != nil && AppAction.started.playback == nil)
    }
}
