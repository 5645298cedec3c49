// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// Middlewares that are given the world later.
@Suite("Readme: dependency injection", .timeLimit(.minutes(5)))
struct DependencyInjectionTests {
    private let catalogue = MiddlewareReader<World, CatalogueMiddleware> { world in
        CatalogueMiddleware(fetchPage: world.fetchPage)
    }

    private func run<M: MiddlewareProtocol>(_ middleware: M, _ actions: AppAction...) -> [AppAction]
    where M.InputActionType == AppAction, M.OutputActionType == AppAction, M.StateType == AppState {
        let outputs = Recorder<AppAction>()
        for action in actions {
            middleware.handle(action: action, from: .here(), state: { .empty }).run { outputs.record($0.action) }
        }
        return outputs.all
    }

    @Test("readers lifted, composed and injected once")
    func composed() {
        let favourites = MiddlewareReader { (setFavourite: FavouritesService) in
            FavouritesMiddleware(setFavourite: setFavourite.call)
        }
        let app =
            catalogue.lift(
                inputAction: \AppAction.catalogue,
                outputAction: AppAction.catalogue,
                state: \AppState.catalogue
            )
            <> favourites.lift(
                inputAction: \AppAction.favourites,
                outputAction: AppAction.favourites,
                state: \AppState.favourites,
                dependencies: { (world: World) in FavouritesService(call: world.setFavourite) }
            )
        let middleware = app.inject(.test(pages: [[]]))
        let outputs = run(middleware, .catalogue(.load(page: 0)), .favourites(.toggle(movie: 4)))
        #expect(outputs == [.catalogue(.loaded([])), .favourites(.changed(movie: 4, isFavourite: true))])
    }

    private struct FavouritesService: Sendable {
        let call: @Sendable (Int, Bool, @escaping World.Answer<Void>) -> Void
    }

    @Test("pure, map, contramap, dimap, flatMap, identity and zip")
    func algebra() {
        typealias Lifted = AnyMiddleware<AppAction, AppAction, AppState>
        let lift: @Sendable (CatalogueMiddleware) -> Lifted = { middleware in
            middleware.eraseToAnyMiddleware()
                .lift(inputAction: \.catalogue, outputAction: AppAction.catalogue, state: \.catalogue)
        }
        let load = AppAction.catalogue(.load(page: 0))
        let empty = [AppAction.catalogue(.loaded([]))]
        let world = World.test(pages: [[]])

        #expect(run(catalogue.mapMiddleware(lift).inject(world), load) == empty)
        let fromPages = catalogue.contramapDependecies { (pages: [[Movie]]) in World.test(pages: pages) }
        #expect(run(fromPages.mapMiddleware(lift).inject([[]]), load) == empty)
        let both = catalogue.dimap(
            transformMiddleware: lift,
            extractOnlyDependenciesNeededForThisMiddleware: { (pages: [[Movie]]) in World.test(pages: pages) }
        )
        #expect(run(both.inject([[]]), load) == empty)
        let chained = catalogue.flatMap { middleware in
            MiddlewareReader<World, Lifted> { _ in lift(middleware) }
        }
        #expect(run(chained.inject(world), load) == empty)
        let constant = MiddlewareReader<World, Lifted>.pure(lift(catalogue.inject(world)))
        #expect(run((constant <> MiddlewareReader<World, Lifted>.identity).inject(world), load) == empty)
        let zipped = MiddlewareReader<World, ComposedMiddleware<AppAction, AppAction, AppState>>.zip(
            constant,
            chained,
            both.contramapDependecies { (_: World) in [[]] },
            with: { $0 <> $1 <> $2 }
        )
        #expect(run(zipped.inject(world), load) == empty + empty + empty)
    }

    @Test("a reader of effects, lifted on all axes")
    func effects() {
        let pages = EffectMiddleware<CatalogueAction, CatalogueAction, Catalogue, World>.onAction { action, _, _ in
            guard case .load(let page) = action else { return .doNothing }
            return .promise(token: "page") { context, answer in
                context.dependencies.fetchPage(page) { result in
                    answer(.loaded((try? result.get()) ?? []))
                }
            }
        }
        let app = pages.lift(
            inputAction: { (action: AppAction) in action.catalogue },
            outputAction: AppAction.catalogue,
            state: { (state: AppState) in state.catalogue },
            dependencies: { (pages: [[Movie]]) in World.test(pages: pages) }
        )
        let outputs = run(app.inject([[Movie(id: 1, title: "M")]]), .catalogue(.load(page: 0)), .started)
        #expect(outputs == [.catalogue(.loaded([Movie(id: 1, title: "M")]))])
    }
}
