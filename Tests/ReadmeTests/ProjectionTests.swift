// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

/// What a volume knob shows.
private struct KnobState: Equatable, Sendable {
    var text: String
    static let empty = KnobState(text: "")

    static func from(_ state: AppState) -> KnobState {
        KnobState(text: state.playback.volume.isMuted ? "muted" : "\(state.playback.volume.level)")
    }
}

/// What happens to it.
private enum KnobEvent: Sendable {
    case turnedRight, turnedLeft, pressed, touched

    var asAction: AppAction? {
        switch self {
        case .turnedRight: .playback(.volume(.louder))
        case .turnedLeft: .playback(.volume(.softer))
        case .pressed: .playback(.volume(.mute))
        case .touched: nil
        }
    }
}

/// Views of a store, and view models of these.
@Suite("Readme: projection and view model", .timeLimit(.minutes(5)))
@MainActor
struct ProjectionTests {
    private let store = MovieStore(world: .test())

    @Test("a view model of a projection, by closures")
    func viewModel() {
        let model = store.projection(
            action: { (event: KnobEvent) -> AppAction? in event.asAction },
            state: { (state: AppState) -> KnobState in KnobState.from(state) }
        ).asObservableViewModel(initialState: .empty)
        #expect(model.state.text == "5")
        let notices = Shared(0)
        let subscription = model.objectWillChange.sink { _ in notices.update { $0 += 1 } }
        model.dispatch(.turnedRight)
        #expect(model.state == KnobState(text: "6"))
        model.dispatch(.touched)
        model.dispatch(.pressed)
        #expect(model.state.text == "muted")
        #expect(notices.value == 2)
        subscription.cancel()
    }

    @Test("by functions, cases and key paths; projections of projections")
    func forms() {
        let byPaths = store.projection(action: \KnobEvent.asAction, state: \AppState.playback)
        let byCase = store.projection(action: AppAction.playback, state: { $0.playback })
            .projection(action: PlaybackAction.volume, state: \.volume)
        let byFunctions: StoreProjection<KnobEvent, KnobState> =
            store.projection(action: { $0.asAction }, state: KnobState.from)
        byPaths.dispatch(.turnedLeft)
        byCase.dispatch(.softer)
        byFunctions.dispatch(.touched)
        #expect(store.state.playback.volume.level == 3)
        let texts = Recorder<String>()
        let subscription = byFunctions.statePublisher.map(\.text).sink { @Sendable in texts.record($0) }
        byFunctions.dispatch(.pressed)
        #expect(texts.all == ["3", "muted"])
        subscription.cancel()
    }

    @Test("only actions, only state, type erased")
    func axes() {
        let actions: AnyStoreType<VolumeAction, AppState> = store.contramapAction { .playback(.volume($0)) }
        let states: AnyStoreType<AppAction, Int> = store.mapState { $0.playback.volume.level }
        let handler: AnyActionHandler<PlaybackAction> = store.contramap(AppAction.playback)
        let provider: AnyStateProvider<Bool> = store.map { $0.playback.isPaused }
        let erased: AnyStoreType<AppAction, AppState> = store.eraseToAnyStoreType()
        let levels = Recorder<Int>()
        let pauses = Recorder<Bool>()
        var subscriptions = Set<AnyCancellable>()
        states.statePublisher.sink { @Sendable in levels.record($0) }.store(in: &subscriptions)
        provider.statePublisher.subscribe(UnfailableSubscriberType(onValue: { pauses.record($0) }))
            .cancelled(by: &subscriptions)
        actions.dispatch(.louder)
        handler.dispatch(.pause)
        erased.dispatch(.playback(.pause))
        // Each is told of every state; which of the two first, Combine leaves open.
        #expect(levels.all == [5, 6, 6, 6])
        #expect(pauses.all == [false, false, true, false])
    }

    @Test("a view model of its own for a test")
    func mock() {
        let events = Recorder<String>()
        let model = ObservableViewModel<KnobEvent, KnobState>.mock(state: .empty) { event, _, state in
            events.record("\(event)")
            state.text += "!"
        }
        model.dispatch(.pressed)
        #expect(model.state.text == "!")
        #expect(events.all == ["pressed"])
    }
}
