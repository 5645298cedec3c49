// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("LiftMiddleware")
struct LiftMiddlewareTests {
    private let check = LiftCheck()
    private let log = Recorder<String>()

    @Test("maps each thing once an action: the input in handle and in afterReduce, the output when it is dispatched")
    func mapCalls() {
        let log = log
        let calls: @Sendable (String) -> Void = { log.record($0) }
        let input: @Sendable (AppAction) -> AuthAction? = { action in
            calls("input")
            return action.auth
        }
        let state: @Sendable (AppState) -> AuthState = { state in
            calls("state")
            return state.auth
        }
        let output: @Sendable (AuthAction) -> AppAction = { action in
            calls("output")
            return .auth(action)
        }
        let spy = Spy<AuthAction, AuthAction, AuthState>(name: "spy", log: Recorder(), output: .logOut)
        let live = Shared(AppState())
        for lifted in unboundAndBound(
            spy.lift(inputAction: input, outputAction: output, state: state),
            state: live
        ) {
            log.clear()
            cycle(lifted, .auth(.logOut), state: live, output: SinkSpy())
            // Once for the state in handle, once in its work.
            #expect(log.all == ["input", "state", "state", "output"])
            log.clear()
            cycle(lifted, .tick, state: live, output: SinkSpy())
            #expect(log.all == ["input"])
        }
    }

    @Test("an output kept by a lifted part still works later, from another thread, with source and cause")
    func savedOutput() async {
        let saved = Shared<AnyActionHandler<AuthAction>?>(nil)
        let part = AnyMiddleware<AuthAction, AuthAction, AuthState> { _, _, _ in IO { saved.value = $0 } }
        let sink = SinkSpy<AppAction>()
        let live = Shared(AppState())
        let lifted = part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
        for lifted in unboundAndBound(lifted, state: live) {
            sink.log.clear()
            cycle(lifted, .auth(.logOut), state: live, output: sink)
            #expect(sink.log.count == 0)
            await Task.detached { saved.value?.dispatch(.logOut, from: .b) }.value
            #expect(sink.log.all.map(\.action) == [.auth(.logOut)])
            #expect(sink.log.all.map(\.source) == [.b])
            #expect(sink.log.all.map(\.cause) == [ActionCause(parent: 5, root: 3)])
        }
    }

    @Test("afterReduce and the IO of a bound lift follow the output, its cause and its run, when they change")
    func outputsChange() {
        let late = LateSpy<AuthAction, AuthAction, AuthState>(name: "late", log: log, output: .logOut)
        let spy = Spy<AuthAction, AuthAction, AuthState>(name: "spy", log: log, output: .logOut)
        let lifted = (late <> spy)
            .lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
            .bound(to: { AppState() })
        let sinks = [SinkSpy<AppAction>(), SinkSpy<AppAction>()]
        // A store lends the same sink without a run; effects and other wrappers pass on others.
        let runs = [nil, EffectRun(), nil, nil, EffectRun(), nil]
        for (index, run) in runs.enumerated() {
            let output = AnyActionHandler(
                sink: sinks[index / 3],
                cause: ActionCause(parent: UInt64(index), root: 1),
                run: run
            )
            let io = lifted.handle(action: .auth(.logOut), from: .a, state: { AppState() })
            lifted.afterReduce(action: .auth(.logOut), from: .a, state: { AppState() }, output: output)
            io.run(output)
        }
        let entries = sinks.map(\.log.all)
        #expect(entries.map(\.count) == [6, 6])
        #expect(entries.joined().map(\.cause.parent) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
        #expect(
            entries.joined().map { $0.run.map(ObjectIdentifier.init) }
                == runs.flatMap { run in
                    Array(repeating: run.map(ObjectIdentifier.init), count: 2)
                }
        )
    }

    @Test("an output that afterReduce of a bound lift keeps has the cause of its action")
    func keptOutputs() {
        let part = OutputKeeper()
        let lifted = part.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
            .bound(to: { AppState() })
        let sink = SinkSpy<AppAction>()
        for index in 0..<3 as Range<UInt64> {
            let output = AnyActionHandler(sink: sink, cause: ActionCause(parent: index, root: 1))
            lifted.afterReduce(action: .auth(.logOut), from: .a, state: { AppState() }, output: output)
        }
        for output in part.kept.all { output.dispatch(.logOut, from: .b) }
        #expect(sink.log.all.map(\.cause.parent) == [0, 1, 2])
    }

    @Test("binds the part to its own view of the state")
    func bind() {
        let spy = BoundSpy()
        let live = Shared(AppState(auth: AuthState(user: nil, visits: 3)))
        _ = spy.lift(state: \AppState.auth.visits).bound(to: { live.value })
        live.value.auth.visits = 4
        #expect(spy.bindings.map { $0() } == [4])
    }

    @Test("reads any part of the state that a key path can name, stored or not")
    func everyPath() {
        let state = AppState(auth: AuthState(user: "ada", visits: 3), list: [7, 8])
        let log = log
        func read<Part: Sendable>(_ path: KeyPath<AppState, Part>) -> [String] {
            log.clear()
            let spy = Spy<Int, Int, Part>(name: "", log: log)
            for lifted in unboundAndBound(spy.lift(statePath: path), state: Shared(state)) {
                cycle(lifted, 0, state: Shared(state), output: SinkSpy())
            }
            return log.all.map { String($0.dropFirst(" handle 0 1 ".count)) }
        }
        #expect(read(\.auth.visits) == ["3", "3"])
        #expect(read(\.list) == ["[7, 8]", "[7, 8]"])
        #expect(read(\.list.count) == ["2", "2"])
        #expect(read(\.list[1]) == ["8", "8"])
        #expect(read(\.auth.user) == [#"Optional("ada")"#, #"Optional("ada")"#])
        #expect(read(\.auth.user?.count) == ["Optional(3)", "Optional(3)"])
        #expect(read(\.computedAuth.visits) == ["3", "3"])
        #expect(read(\.self) == ["\(state)", "\(state)"])
    }

    @Test("has an afterReduce when the part has; without one the action is not even looked at")
    func hasAfterReduce() {
        let spy = Spy<AuthAction, AuthAction, AuthState>(name: "spy", log: log)
        let log = log
        let lifted = spy.lift(inputAction: { (action: AppAction) -> AuthAction? in
            log.record("input")
            return action.auth
        })
        #expect(!lifted.hasAfterReduce)
        lifted.afterReduce(
            action: .auth(.logOut),
            from: .a,
            state: { AuthState() },
            output: AnyActionHandler { _ in }
        )
        #expect(log.count == 0)
    }

    @Test("is Sendable when the part is")
    func sendable() async {
        let log = log
        let spy = Spy<AuthAction, AuthAction, AuthState>(name: "spy", log: log)
        let lifted = spy.lift(inputAction: check.input)
        await Task.detached {
            _ = lifted.handle(action: .auth(.logOut), from: .a, state: { AuthState() })
        }.value
        #expect(log.count == 1)
    }
}

/// Keeps the outputs of `afterReduce`.
private struct OutputKeeper: MiddlewareProtocol {
    let kept = Recorder<AnyActionHandler<AuthAction>>()

    func handle(
        action: AuthAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AuthState>
    ) -> IO<AuthAction> { .pure() }

    func afterReduce(
        action: AuthAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<AuthState>,
        output: AnyActionHandler<AuthAction>
    ) {
        kept.record(output)
    }
}
