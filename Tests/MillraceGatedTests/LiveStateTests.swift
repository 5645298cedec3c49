// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import TestSupport
import Testing

/// A gate by state looks at the live state where it lies, if it is told where; it decides as by the getter everywhere.
@Suite("Gate by state: where the state is", .timeLimit(.minutes(5)))
struct LiveStateTests {
    private typealias Erased = AnyMiddleware<Step, Step, World>

    private let log = Recorder<String>()
    private var gated: GatedMiddleware<LateWitness> { LateWitness(log: log).gated(state: \.isOn) }
    /// What is seen of `steps` by a gate that goes by the world of these steps.
    private let steps: [Step] = [.control(false), .volume(1), .control(true), .volume(2)]
    private let seen = ["handle control(false)", "after control(false)", "handle volume(2)", "after volume(2)"]
    private let opposite = ["handle volume(1)", "after volume(1)", "handle control(true)", "after control(true)"]

    @Test("in whatever it is wrapped")
    func wrapped() {
        let either: EitherMiddleware<GatedMiddleware<LateWitness>, Erased> = .first(gated)
        let or: EitherMiddleware<Erased, GatedMiddleware<LateWitness>> = .second(gated)
        let other = IdentityMiddleware<Step, Step, World>().named("other")
        let all: [(String, Erased)] = [
            ("erased", gated.eraseToAnyMiddleware()),
            ("named", gated.named("late").eraseToAnyMiddleware()),
            ("first", (gated <> other).eraseToAnyMiddleware()),
            ("second", (other <> gated).eraseToAnyMiddleware()),
            ("composed", (gated <> other as ComposedMiddleware).eraseToAnyMiddleware()),
            ("either", either.eraseToAnyMiddleware()),
            ("or", or.eraseToAnyMiddleware()),
            ("gated twice", gated.gated(by: Gate()).eraseToAnyMiddleware()),
            ("lifted", gated.lift(inputAction: { (step: Step) in Optional(step) }).eraseToAnyMiddleware()),
            ("by a closure", LateWitness(log: log).gated(stateMap: { $0.isOn }).eraseToAnyMiddleware()),
        ]
        for (name, middleware) in all {
            log.clear()
            nonisolated(unsafe) let middleware = middleware
            let rig = Rig(middleware)
            for step in steps { rig.dispatch(step) }
            #expect(log.all == seen, "\(name)")
        }
    }

    @Test("a middleware that passes the getter on tells where the state is, one that gives another getter does not")
    func told() async throws {
        let spy = LiveSpy(log: log)
        func bound(_ middleware: sending some MiddlewareProtocol<Step, Step, World>) -> [String] {
            log.clear()
            let rig = Rig(middleware)
            rig.dispatch(.control(false), .volume(1))
            return log.all
        }
        let (there, none) = (["live", "true", "false"], ["no live", "none", "none"])
        let either: EitherMiddleware<LiveSpy, IdentityMiddleware<Step, Step, World>> = .first(spy)
        #expect(bound(spy) == there)
        #expect(bound(spy.eraseToAnyMiddleware()) == there)
        #expect(bound(spy.named("spy") <> IdentityMiddleware()) == there)
        #expect(bound(IdentityMiddleware().named("other") <> spy as ComposedMiddleware) == there)
        #expect(bound(either) == there)
        #expect(bound(spy.gated(by: Gate())) == there)
        #expect(bound(spy.lift(inputAction: { (step: Step) in Optional(step) })) == there)
        #expect(bound(spy.lift(state: { (world: World) in world })) == none)
        #expect(bound(spy.lift(state: \World.copy)) == none)
        #expect(bound(Opposite(base: spy)) == none)
    }

    @Test("lifted to a part of the state: by its place where it is stored, else by the getter")
    func lifted() {
        let ways: [(String, AnyMiddleware<Step, Step, Outer>, [String])] = [
            ("stored", gated.lift(state: \Outer.second).eraseToAnyMiddleware(), seen),
            ("by a closure", gated.lift(state: { (outer: Outer) in outer.second }).eraseToAnyMiddleware(), seen),
            ("computed", gated.lift(state: \Outer.computed).eraseToAnyMiddleware(), opposite),
            (
                "stored in what is computed",
                gated.lift(state: \Pair.world).lift(state: \Outer.pair).eraseToAnyMiddleware(), opposite
            ),
            (
                "stored in what is stored",
                gated.lift(state: \Pair.world).lift(state: \Outer.stored).eraseToAnyMiddleware(), seen
            ),
            (
                "composed",
                (gated <> IdentityMiddleware().named("other") as ComposedMiddleware)
                    .lift(state: \Outer.second).eraseToAnyMiddleware(), seen
            ),
            ("erased", gated.eraseToAnyMiddleware().lift(state: \Outer.second).eraseToAnyMiddleware(), seen),
        ]
        for (name, middleware, expected) in ways {
            log.clear()
            nonisolated(unsafe) let middleware = middleware
            let store = ReduxStoreBase(
                initialState: Outer(),
                reducer: reducer.lift(state: \Outer.second) <> reducer.lift(state: \Outer.stored.world),
                middleware: middleware,
                engine: .caller
            )
            for step in steps { store.dispatch(step) }
            #expect(log.all == expected, "\(name)")
        }
    }

    @Test("each element decides by itself")
    func elements() {
        let middleware = gated.liftToDictionary(
            inputAction: { (step: ElementIDAction<String, Step>) in step },
            outputAction: { (step: ElementIDAction<String, Step>) in step },
            state: { (worlds: [String: World]) in worlds }
        )
        let store = ReduxStoreBase(
            initialState: ["a": World(), "b": World(isOn: false)],
            reducer: Reducer.reduce { (step: ElementIDAction<String, Step>, worlds: inout [String: World]) in
                reducer.reduce(step.action, &worlds[step.id, default: World()])
            },
            middleware: middleware,
            engine: .caller
        )
        for step in steps { store.dispatch(ElementIDAction(id: "a", action: step)) }
        #expect(log.all == seen)
        log.clear()
        store.dispatch(ElementIDAction(id: "b", action: .volume(7)))
        #expect(log.all.isEmpty)
    }

    @Test("in a store whose state lies in a subject")
    func subject() async {
        let store = ReduxStoreBase(
            subject: .native(initialValue: World()),
            reducer: reducer,
            middleware: LiveSpy(log: log) <> gated
        )
        #expect(log.all == ["no live"])
        for step in steps { store.dispatch(step) }
        await store.drain()
        #expect(log.all.filter { $0 != "none" } == ["no live"] + seen)
    }

    @Test("in a store that publishes on demand, on a thread of its own")
    func onDemand() async {
        let store = ReduxStoreBase(
            initialState: World(),
            reducer: reducer,
            middleware: gated,
            engine: .thread(),
            publication: .onDemand
        )
        for step in steps { store.dispatch(step) }
        await store.drain()
        #expect(log.all == seen)
    }

    @Test("as a plugin")
    func plugin() async throws {
        for engine in [StoreEngine.caller, .thread()] {
            log.clear()
            let store = ReduxStoreBase(
                initialState: World(),
                reducer: reducer,
                middleware: IdentityMiddleware<Step, Step, World>(),
                engine: engine
            )
            try await store.plugins.install(LiveSpy(log: log), as: "spy")
            #expect(log.all == ["live"])
            try await store.plugins.replace("spy", with: gated)
            for step in steps { store.dispatch(step) }
            await store.drain()
            #expect(log.all == ["live"] + seen)
        }
    }

    @Test("in a middleware that gives it another state of the same type")
    func anotherGetter() {
        let rig = Rig(Opposite(base: gated))
        for step in steps { rig.dispatch(step) }
        #expect(log.all == opposite)
    }
}

private struct Pair: Sendable {
    var other = 0
    var world = World()
}

private struct Outer: Sendable {
    var first = World(isOn: false)
    var second = World()
    var stored = Pair()

    /// The opposite of `second`.
    var computed: World { World(isOn: !second.isOn) }
    var pair: Pair { Pair(world: computed) }
}

extension World {
    fileprivate var copy: World { self }
}

/// Writes down whether it was told where the state is, and what it is there, at each action; and that it is what the
/// getter says.
private struct LiveSpy: MiddlewareProtocol, @unchecked Sendable {
    // Unchecked: the pointer is set when a store binds its copy.
    let log: Recorder<String>
    var live: UnsafePointer<World>?

    init(log: Recorder<String>) { self.log = log }

    func handle(action: Step, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Step> {
        log.record(live.map { "\($0.pointee.isOn)" } ?? "none")
        if let live { #expect(live.pointee.isOn == state().isOn) }
        return .pure()
    }

    mutating func bind(_ binding: MiddlewareBinding<Step, World>) {
        live = binding.state.source.live
        log.record(live == nil ? "no live" : "live")
    }
}

/// Gives another one a getter of its own, as somebody might who knows nothing of live states.
private struct Opposite<Base: MiddlewareProtocol>: MiddlewareProtocol
where Base.InputActionType == Step, Base.OutputActionType == Step, Base.StateType == World {
    var base: Base

    private func opposite(_ state: @escaping GetState<World>) -> GetState<World> {
        { World(isOn: !state().isOn) }
    }

    func handle(action: Step, from dispatcher: ActionSource, state: @escaping GetState<World>) -> IO<Step> {
        base.handle(action: action, from: dispatcher, state: opposite(state))
    }

    var hasAfterReduce: Bool { base.hasAfterReduce }

    func afterReduce(
        action: Step,
        from dispatcher: ActionSource,
        state: @escaping GetState<World>,
        output: AnyActionHandler<Step>
    ) {
        base.afterReduce(action: action, from: dispatcher, state: opposite(state), output: output)
    }

    mutating func bind(_ binding: MiddlewareBinding<Step, World>) {
        let state = binding.state.map { World(isOn: !$0.isOn) }
        base.bind(binding.lifted(state: state))
    }
}
