// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

/// What the lift tests lift: a middleware that sees, works and looks again, and how it is found in the larger types.
struct LiftCheck {
    typealias Part = Chain<Spy<AuthAction, AuthAction, AuthState>, LateSpy<AuthAction, AuthAction, AuthState>>

    let log = Recorder<String>()
    let input: @Sendable (AppAction) -> AuthAction? = { $0.auth }
    let output: @Sendable (AuthAction) -> AppAction = AppAction.auth
    let state: @Sendable (AppState) -> AuthState = { $0.auth }

    var part: Part {
        Spy(name: "spy", log: log, output: .logIn("spy")) <> LateSpy(name: "late", log: log, output: .logIn("late"))
    }

    /// Sends an action of the part's own, and one that is not; both as it is and bound to a store's state.
    func callAsFunction<Input, Output: Equatable & Sendable, State: Sendable>(
        _ lifted: some MiddlewareProtocol<Input, Output, State>,
        own: Input,
        foreign: Input?,
        outputs toOutput: (AuthAction) -> Output,
        states toState: @escaping @Sendable (AuthState) -> State,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let (before, after) = (AuthState(user: "before"), AuthState(user: "after"))
        let live = Shared(toState(before))
        for lifted in unboundAndBound(lifted, state: live) {
            let sink = SinkSpy<Output>()
            log.clear()
            live.value = toState(before)
            #expect(lifted.hasAfterReduce, sourceLocation: sourceLocation)
            let reducer = Reducer<Input, State>.reduce { _, state in state = toState(after) }
            cycle(lifted, own, state: live, reducer: reducer, output: sink)
            #expect(
                log.all == [
                    "spy handle logOut 1 \(before)", "late handle",
                    "late after logOut 1 \(after)", "spy io \(after)",
                ],
                sourceLocation: sourceLocation
            )
            let expected = [toOutput(.logIn("late")), toOutput(.logIn("spy"))]
            #expect(sink.log.all.map(\.action) == expected, sourceLocation: sourceLocation)
            #expect(sink.log.all.map(\.source) == [.a, .a], sourceLocation: sourceLocation)
            let cause = ActionCause(parent: 5, root: 3)
            #expect(sink.log.all.map(\.cause) == [cause, cause], sourceLocation: sourceLocation)

            guard let foreign else { continue }
            log.clear()
            let io = lifted.handle(action: foreign, from: .a, state: { live.value })
            #expect(io.isPure, sourceLocation: sourceLocation)
            cycle(lifted, foreign, state: live, output: sink)
            #expect(log.count == 0, sourceLocation: sourceLocation)
            #expect(sink.log.count == 2, sourceLocation: sourceLocation)
        }
    }

    // The seven sets of axes, by which of the three are lifted.

    func all(
        _ lifted: some MiddlewareProtocol<AppAction, AppAction, AppState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let states: @Sendable (AuthState) -> AppState = { AppState(auth: $0) }
        self(
            lifted,
            own: .auth(.logOut),
            foreign: .tick,
            outputs: output,
            states: states,
            sourceLocation: sourceLocation
        )
    }

    func inputAndOutput(
        _ lifted: some MiddlewareProtocol<AppAction, AppAction, AuthState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self(
            lifted,
            own: .auth(.logOut),
            foreign: .tick,
            outputs: output,
            states: { $0 },
            sourceLocation: sourceLocation
        )
    }

    func inputAndState(
        _ lifted: some MiddlewareProtocol<AppAction, AuthAction, AppState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let states: @Sendable (AuthState) -> AppState = { AppState(auth: $0) }
        self(
            lifted,
            own: .auth(.logOut),
            foreign: .tick,
            outputs: { $0 },
            states: states,
            sourceLocation: sourceLocation
        )
    }

    func outputAndState(
        _ lifted: some MiddlewareProtocol<AuthAction, AppAction, AppState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let states: @Sendable (AuthState) -> AppState = { AppState(auth: $0) }
        self(
            lifted,
            own: .logOut,
            foreign: nil,
            outputs: output,
            states: states,
            sourceLocation: sourceLocation
        )
    }

    func input(
        _ lifted: some MiddlewareProtocol<AppAction, AuthAction, AuthState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self(
            lifted,
            own: .auth(.logOut),
            foreign: .tick,
            outputs: { $0 },
            states: { $0 },
            sourceLocation: sourceLocation
        )
    }

    func output(
        _ lifted: some MiddlewareProtocol<AuthAction, AppAction, AuthState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self(
            lifted,
            own: .logOut,
            foreign: nil,
            outputs: output,
            states: { $0 },
            sourceLocation: sourceLocation
        )
    }

    func state(
        _ lifted: some MiddlewareProtocol<AuthAction, AuthAction, AppState>,
        at sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let states: @Sendable (AuthState) -> AppState = { AppState(auth: $0) }
        self(
            lifted,
            own: .logOut,
            foreign: nil,
            outputs: { $0 },
            states: states,
            sourceLocation: sourceLocation
        )
    }
}
