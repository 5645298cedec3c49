// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Sync = ElementSync
private typealias Late = LateElementSync

extension Item {
    fileprivate var idText: String { "\(id)" }
}

private let shopReducer: Reducer<ShopAction, ShopState> =
    itemReducer.liftToCollection(action: \.item, stateCollection: \.items)
    <> .reduce { action, state in
        if case .remove(let id) = action { state.items.removeAll { $0.id == id } }
    }

@Suite("LiftToElementMiddleware")
struct LiftToElementMiddlewareTests {
    let live = Shared(ShopState())
    private let sink = SinkSpy<ShopAction>()

    func lift<Part: MiddlewareProtocol>(
        _ part: Part,
        vanished: VanishedElement = .skip
    ) -> LiftToCollectionMiddleware<ShopAction, ShopAction, ShopState, [Item], Part>
    where Part.InputActionType == ItemAction, Part.OutputActionType == ItemAction, Part.StateType == Item {
        part.liftToCollection(
            inputAction: \.item,
            outputAction: ShopAction.item,
            state: \.items,
            vanished: vanished
        )
    }

    private func run(
        _ middleware: some MiddlewareProtocol<ShopAction, ShopAction, ShopState>,
        _ action: ShopAction,
        reducer: Reducer<ShopAction, ShopState> = shopReducer
    ) {
        cycle(middleware, action, state: live, reducer: reducer, output: sink)
    }

    @Test("the part sees its element before and after the reducers; what it dispatches gets the same id")
    func wholeCycle() {
        let part = Sync()
        for lifted in unboundAndBound(lift(part), state: live) {
            live.value = ShopState()
            part.log.clear()
            sink.log.clear()
            run(lifted, .add(1, "x"))
            #expect(part.log.all == ["handle 1 ''", "work 1 'x'"])
            #expect(sink.log.all.map(\.action) == [.item(ElementIDAction(id: 1, action: .rename(1)))])
            #expect(sink.log.all.map(\.source) == [.a])
            #expect(sink.log.all.map(\.cause) == [ActionCause(parent: 5, root: 3)])
        }
    }

    @Test("not addressed, or not there when it is handled: not called, before and after, also if it comes then")
    func absent() {
        let (sync, late) = (Sync(), Late())
        let insert = Reducer<ShopAction, ShopState>.reduce { _, state in state.items.append(Item(id: 9)) }
        for lifted in unboundAndBound(lift(sync), state: live) {
            #expect(lifted.handle(action: .tick, from: .a, state: { live.value }).isPure)
            #expect(lifted.handle(action: .add(9, "x"), from: .a, state: { live.value }).isPure)
        }
        let bound = lift(late).bound(to: { live.value })
        run(bound, .add(1, "x"))
        late.log.clear()
        run(bound, .add(9, "x"), reducer: insert)
        run(bound, .tick)
        #expect(sync.log.count + late.log.count == 0)
        #expect(sink.log.count == 1)
    }

    private let removeAll = Reducer<ShopAction, ShopState>.reduce { _, state in state.items = [] }

    @Test("after the reducers have removed the element, neither afterReduce nor the IO is called, which is counted")
    func vanished() {
        let count = Shared(0)
        let (sync, late) = (Sync(), Late())
        let part = sync <> late
        let binding = MiddlewareBinding<ShopAction, ShopState>(
            state: StateReader { live.value },
            services: BindingServices(
                position: nil,
                effects: nil,
                countVanished: { count.update { $0 += 1 } },
                names: nil
            )
        )
        for (lifted, counted) in [(lift(part), 0), (lift(part).bound(binding), 2)] {
            live.value = ShopState(items: [Item(id: 1, text: "before")])
            sync.log.clear()
            late.log.clear()
            run(lifted, .add(1, "x"), reducer: removeAll)
            #expect(sync.log.all == ["handle 1 'before'"])
            #expect(late.log.all == ["handle 1"])
            #expect(sink.log.count == 0)
            #expect(count.value == counted, "one for afterReduce, one for the IO; a store counts the action once")
            live.value = ShopState(items: [Item(id: 1, text: "again")])
            run(lifted, .add(1, "x"))
            #expect(late.log.all.last == "after 1 'againx'")
            sink.log.clear()
        }
    }

    @Test("with vanished: .snapshot they are called, with the element as it was before the reducers")
    func vanishedSnapshot() {
        let (sync, late) = (Sync(), Late())
        let lifted = lift(sync <> late, vanished: .snapshot)
        live.value = ShopState(items: [Item(id: 1, text: "before")])
        run(lifted.bound(to: { live.value }), .add(1, "x"), reducer: removeAll)
        #expect(sync.log.all == ["handle 1 'before'", "work 1 'before'"])
        #expect(late.log.all == ["handle 1", "after 1 'before'"])
        let answer = ShopAction.item(ElementIDAction(id: 1, action: .rename(1)))
        #expect(sink.log.all.map(\.action) == [answer, answer])
    }

    @Test("the reducers change an element in place, whose IO and afterReduce read it")
    func inPlace() {
        for vanished in [VanishedElement.skip, .snapshot] {
            let lifted = lift(Sync() <> Late(), vanished: vanished).bound(to: { live.value })
            live.value = ShopState()
            for _ in 0..<3 {
                let io = lifted.handle(action: .add(1, "x"), from: .a, state: { live.value })
                live.update { shopReducer.reduce(.add(1, "x"), &$0) }
                let output = AnyActionHandler(sink: sink)
                lifted.afterReduce(action: .add(1, "x"), from: .a, state: { live.value }, output: output)
                io.run(output)
            }
            #expect(live.value.items[1].text.text == "xxx")
            #expect(live.value.items[1].text.copies == (vanished == .skip ? 0 : 3))
        }
    }

    @Test("its reader reads the element of each action: in handle, in afterReduce and in the IO")
    func reader() {
        let part = ElementReading()
        let bound = lift(part).bound(to: { live.value })
        for id in [1, 2] { run(bound, .add(id, "x")) }
        #expect(part.log.all == ["handle 1", "after 1 x", "io 1 x", "handle 2", "after 2 x", "io 2 x"])
    }

    @Test("getters and outputs that were kept stay with their element, whatever is handled meanwhile")
    func kept() async {
        let part = Sync(keeps: true)
        for lifted in unboundAndBound(lift(part), state: live) {
            live.value = ShopState()
            part.getters.value = []
            part.outputs.value = []
            for id in [1, 2, 3] { run(lifted, .add(id, "x")) }
            live.update { $0.items.removeAll { $0.id == 2 } }
            #expect(part.getters.value.map { $0().id } == [1, 2, 3])
            #expect(part.getters.value.map { $0().text.text } == ["x", "x", "x"])
            sink.log.clear()
            await Task.detached { for output in part.outputs.value { output.dispatch(.add("late")) } }.value
            #expect(sink.log.all.map(\.action) == [.add(1, "late"), .add(2, "late"), .add(3, "late")])
        }
    }

    @Test("the same from afterReduce")
    func keptFromAfterReduce() {
        let late = Late(keeps: true)
        let bound = lift(late).bound(to: { live.value })
        for id in [1, 2] { run(bound, .add(id, "x")) }
        live.update { $0.items = [] }
        #expect(late.getters.value.map { $0().id } == [1, 2])
        sink.log.clear()
        for output in late.outputs.value { output.dispatch(.add("late")) }
        #expect(sink.log.all.map(\.action) == [.add(1, "late"), .add(2, "late")])
    }

    @Test("inside another one: what was kept stays with its element, and what was not is let go")
    func keptInside() {
        typealias Action = ElementIDAction<String, ShopAction>
        for keeps in [true, false] {
            let late = Late(keeps: keeps)
            let state = Shared(["a": ShopState(), "b": ShopState()])
            let sink = SinkSpy<Action>()
            let bound = lift(late).liftToDictionary(
                inputAction: { (action: Action) in action },
                outputAction: { $0 },
                state: { (state: [String: ShopState]) in state }
            ).bound(to: { state.value })
            let addressed = [("a", 1), ("b", 2), ("a", 3)]
            for (key, id) in addressed {
                cycle(bound, Action(id: key, action: .add(id, "x")), state: state, output: sink)
            }
            #expect(late.log.all == ["handle 1", "after 1 ''", "handle 2", "after 2 ''", "handle 3", "after 3 ''"])
            #expect(sink.log.all.map(\.action.id) == ["a", "b", "a"])
            let reducer = shopReducer.liftToDictionary(
                action: \Action.optional,
                stateDictionary: \[String: ShopState].self
            )
            state.update { reducer.reduce(Action(id: "a", action: .add(3, "y")), &$0) }
            // Without a getter that was kept nobody shares the element, so that it is changed where it is.
            #expect(state.value["a"]?.items[0].text.copies == (keeps ? 1 : 0))
            state.value = [:]
            sink.log.clear()
            #expect(late.getters.value.map { $0().id } == (keeps ? [1, 2, 3] : []))
            for output in late.outputs.value { output.dispatch(.add("late")) }
            let answers: [Action] = addressed.map { Action(id: $0, action: .add($1, "late")) }
            #expect(sink.log.all.map(\.action) == (keeps ? answers : []))
        }
    }

    @Test("what was not kept is used again, for another element and another output")
    func reused() {
        let (sync, late) = (Sync(answers: false), Late())
        let bound = (lift(sync) <> lift(late)).bound(to: { live.value })
        let other = SinkSpy<ShopAction>()
        for id in [1, 2, 3] { cycle(bound, .add(id, "x"), state: live, output: id == 3 ? other : sink) }
        #expect(sync.log.all == ["handle 1 ''", "handle 2 ''", "handle 3 ''"])
        #expect(sink.log.all.compactMap(\.action.item?.id) == [1, 2])
        #expect(other.log.all.compactMap(\.action.item?.id) == [3])
    }

    @Test("no snapshot is held while the reducers run, if the part did not keep the getter")
    func noCopies() {
        let bound = lift(Sync(answers: false)).bound(to: { live.value })
        run(bound, .add(1, "x"))
        // As in a store, where the state is not taken out to be reduced.
        live.update { state in
            _ = bound.handle(action: .tick, from: .a, state: { ShopState() })
            shopReducer.reduce(.add(1, "y"), &state)
        }
        #expect(live.value.items[1].text.text == "xy")
        let state = Shared(ShopState())
        let lifted = lift(Sync(answers: false)).bound(to: { state.value })
        _ = lifted.handle(action: .add(2, "x"), from: .a, state: { state.value })
        state.update { shopReducer.reduce(.add(2, "x"), &$0) }
        #expect(state.value.items[2].text.copies == 0)
    }

    @Test("every other form finds the element, and puts the key back")
    func forms() {
        let (part, late) = (Sync(), Late())
        let chain = part <> late
        live.value.chosen = Item(id: 5, text: "chosen")
        func check(
            _ lifted: some MiddlewareProtocol<ShopAction, ShopAction, ShopState>,
            _ action: ShopAction,
            _ id: Int,
            absent: ShopAction,
            output: ShopAction
        ) {
            let erased = lifted.eraseToAnyMiddleware()
            for lifted in [erased, erased.bound(to: { live.value })] {
                part.log.clear()
                sink.log.clear()
                run(lifted, action, reducer: .identity)
                #expect(part.log.all.first?.hasPrefix("handle \(id) ") == true)
                #expect(sink.log.all.map(\.action) == [output, output])
                run(lifted, absent, reducer: .identity)
                run(lifted, .tick, reducer: .identity)
                #expect(part.log.count == 2 && sink.log.count == 2)
            }
        }
        let item = ShopAction.item(ElementIDAction(id: 1, action: .rename(1)))
        check(lift(chain), .add(1, ""), 1, absent: .add(9, ""), output: item)
        check(
            chain.liftToCollection(inputAction: \.item, outputAction: ShopAction.item, state: \.keyed),
            .add(1, ""),
            1,
            absent: .add(9, ""),
            output: item
        )
        check(
            chain.liftToCollection(action: \.item, stateCollection: \.items),
            .add(1, ""),
            1,
            absent: .add(9, ""),
            output: item
        )
        check(
            chain.liftToCollection(
                inputAction: \.named,
                outputAction: ShopAction.named,
                state: \.items,
                identifier: \.idText
            ),
            .named(ElementIDAction(id: "2", action: .add(""))),
            2,
            absent: .named(ElementIDAction(id: "9", action: .add(""))),
            output: .named(ElementIDAction(id: "2", action: .rename(2)))
        )
        check(
            chain.liftToCollection(inputAction: \.row, outputAction: ShopAction.row, state: \.items),
            .row(ElementIndexAction(index: 2, action: .add(""))),
            2,
            absent: .row(ElementIndexAction(index: 3, action: .add(""))),
            output: .row(ElementIndexAction(index: 2, action: .rename(2)))
        )
        check(
            chain.liftToDictionary(inputAction: \.named, outputAction: ShopAction.named, state: \.names),
            .named(ElementIDAction(id: "x", action: .add(""))),
            7,
            absent: .named(ElementIDAction(id: "y", action: .add(""))),
            output: .named(ElementIDAction(id: "x", action: .rename(7)))
        )
        check(
            chain.liftToDictionary(action: \.named, stateDictionary: \.names),
            .named(ElementIDAction(id: "x", action: .add(""))),
            7,
            absent: .named(ElementIDAction(id: "y", action: .add(""))),
            output: .named(ElementIDAction(id: "x", action: .rename(7)))
        )
        check(
            chain.liftToOptional(inputAction: \.all, outputAction: ShopAction.all, state: \.chosen),
            .all(.add("")),
            5,
            absent: .tick,
            output: .all(.rename(5))
        )
    }

    @Test("a keyed collection is asked for its element, once in `handle` and once before the IO, and not searched")
    func keyed() {
        let asked = Recorder<Int>()
        let state = Shared(Oracle(elements: [Item(id: 0), Item(id: 1)], asked: asked))
        let sink = SinkSpy<ElementIDAction<Int, ItemAction>>()
        let part = AnyMiddleware<ItemAction, ItemAction, Item> { action, _, state in
            IO { $0.dispatch(.rename(state().id)) }
        }
        let closures: AnyMiddleware = part.liftToCollection(
            inputAction: { (action: ElementIDAction<Int, ItemAction>) in action },
            outputAction: { $0 },
            state: { (state: Oracle) in state }
        ).eraseToAnyMiddleware()
        let paths = part.liftToCollection(
            action: \ElementIDAction<Int, ItemAction>.optional,
            stateCollection: \Oracle.self
        ).eraseToAnyMiddleware()
        for middleware in [closures, paths] {
            for lifted in unboundAndBound(middleware, state: state) {
                asked.clear()
                sink.log.clear()
                cycle(lifted, ElementIDAction(id: 1, action: .add("x")), state: state, output: sink)
                #expect(asked.all == [1, 1])
                #expect(sink.log.all.map(\.action) == [ElementIDAction(id: 1, action: .rename(1))])
                cycle(lifted, ElementIDAction(id: 2, action: .add("x")), state: state, output: sink)
                #expect(asked.all == [1, 1, 2])
                #expect(sink.log.count == 1)
            }
        }
    }

    @Test("an optional state, or a case, that is nil: not called; one that becomes nil: no IO, or as it was")
    func optional() {
        let part = Sync()
        let skipping = part.liftToOptional(state: { (screen: Screen) in screen.detail })
        let keeping = part.liftToOptional(state: { (screen: Screen) in screen.detail }, vanished: .snapshot)
        let screen = Shared(Screen.start)
        let sink = SinkSpy<ItemAction>()
        let all = [skipping, keeping].flatMap { unboundAndBound($0, state: screen) }
        for (lifted, works) in zip(all, [false, false, true, true]) {
            part.log.clear()
            screen.value = .start
            cycle(lifted, .add("x"), state: screen, output: sink)
            #expect(part.log.count == 0)
            screen.value = .detail(Item(id: 1, text: "here"))
            cycle(lifted, .add("x"), state: screen, reducer: .reduce { $1 = .start }, output: sink)
            #expect(part.log.all == ["handle 1 'here'"] + (works ? ["work 1 'here'"] : []))
        }
        #expect(sink.log.all.map(\.action) == [.rename(1), .rename(1)])
    }

    @Test("a key path that does not take an output: it is dropped, and not the handled action sent again")
    func echo() {
        let part = Sync() <> Late()
        for lifted in unboundAndBound(
            part.liftToCollection(action: \ShopAction.deafItem, stateCollection: \ShopState.items),
            state: live
        ) { run(lifted, .add(1, "x")) }
        #expect(sink.log.count == 0)
        // One that is equal to what was handled is an output as any other.
        for lifted in unboundAndBound(
            part.liftToCollection(action: \ShopAction.item, stateCollection: \ShopState.items),
            state: live
        ) { run(lifted, .item(ElementIDAction(id: 1, action: .rename(1)))) }
        #expect(sink.log.count == 4)
    }

    @Test("the same for actions that cannot be compared")
    func echoOfOpaqueActions() {
        struct Envelope: Sendable {
            var stored: ElementIDAction<Int, Opaque>?
            var deaf: ElementIDAction<Int, Opaque>? {
                get { stored }
                set {}
            }
        }
        let part = AnyMiddleware<Opaque, Opaque, Item> { action, _, _ in
            IO { $0.dispatch(Opaque(number: action.number + 1, text: action.text + " once more, and long enough")) }
        }
        let action = Envelope(stored: ElementIDAction(id: 1, action: Opaque(number: 1, text: "a long enough text")))
        let outputs = Recorder<Int?>()
        for path in [\Envelope.stored, \Envelope.deaf] {
            part.liftToCollection(action: path, stateCollection: \ShopState.items)
                .handle(action: action, from: .a, state: { ShopState() })
                .run { outputs.record($0.action.stored?.action.number) }
        }
        #expect(outputs.all == [2])
    }

    @Test("tells the probe of names inside, and has an afterReduce when the part has")
    func forwarding() {
        let log = Recorder<String>()
        let lifted = lift(Sync().named("inner"))
        #expect(!lifted.hasAfterReduce && lift(Late()).hasAfterReduce)
        for lifted in unboundAndBound(lifted, state: live) {
            log.clear()
            cycle(lifted, .add(1, ""), state: live, probe: ProbeSpy(log: log), output: sink)
            #expect(log.all == ["began inner", "ended inner"])
            cycle(lifted, .add(9, ""), state: live, probe: ProbeSpy(log: log), output: sink)
            #expect(log.count == 2)
        }
    }

    @Test("a lift inside of it reads the element of each action, also when it is erased")
    func nestedLifts() {
        let log = Recorder<String>()
        let spy = Spy<ItemAction, ItemAction, Int>(name: "spy", log: log, output: .add("y"))
        let inner = spy.lift(state: \Item.id)
        let erased = inner.eraseToAnyMiddleware()
        for part in [erased, erased.lift(inputAction: { (action: ItemAction) in action })] {
            let bound = lift(part).bound(to: { live.value })
            log.clear()
            for id in [1, 2] { run(bound, .add(id, "x")) }
            #expect(log.all.map { $0.suffix(1) } == ["1", "1", "2", "2"])
        }
        let outer = lift(inner).lift(state: { (number: Int) in ShopState(items: [Item(id: number)]) })
        log.clear()
        cycle(outer.bound(to: { 4 }), .add(4, "x"), state: Shared(4), output: sink)
        #expect(log.all.map { $0.suffix(1) } == ["4", "4"])
    }

    @Test("is Sendable when the part is")
    func sendable() async {
        let part = Sync()
        let lifted = lift(part)
        await Task.detached { _ = lifted.handle(action: .add(1, ""), from: .a, state: { ShopState() }) }.value
        #expect(part.log.count == 1)
    }
}
