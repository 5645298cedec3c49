// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

private struct Item: Equatable, Identifiable, Sendable {
    var id: Int
    var value = 0
}

private enum GlobalAction: Equatable, Sendable {
    case item(ElementIDAction<Int, Int>)
    case row(ElementIndexAction<Int, Int>)
    case clear

    static func item(_ id: Int, _ action: Int) -> GlobalAction { .item(ElementIDAction(id: id, action: action)) }

    var item: ElementIDAction<Int, Int>? {
        get { if case .item(let action) = self { action } else { nil } }
        set { if case .item = self, let newValue { self = .item(newValue) } }
    }

    /// Ignores what is written, as a property of another case does.
    var deafItem: ElementIDAction<Int, Int>? {
        get { item }
        set {}
    }

    var row: ElementIndexAction<Int, Int>? {
        if case .row(let action) = self { action } else { nil }
    }

    /// For the lift whose state is one or none.
    var whole: Int? { item?.action }
}

private struct GlobalState: Equatable, Sendable {
    var items = [Item(id: 1), Item(id: 2), Item(id: 1)]
    var table = [2: Item(id: 2)]
    var chosen: Item? = Item(id: 2)
}

private let add = Reducer<Int, Item>.reduce { action, item in item.value += action }

@Suite("Conformance: lifting to collections")
struct ElementLiftConformanceTests {
    private let log = Recorder<String>()

    @Test("A15: the output map of a collection lift can rename but not drop")
    func a15_outputsAreNotDropped() {
        let part = AnyMiddleware<Int, Int, Item> { action, dispatcher, _ in
            IO { output in for number in 0..<action { output.dispatch(number, from: dispatcher) } }
        }
        let outputs = Recorder<GlobalAction>()
        let lifted = part.liftToCollection(
            inputAction: \GlobalAction.item,
            outputAction: { $0.action == 1 ? GlobalAction.clear : .item($0) },
            state: \GlobalState.items
        )
        lifted.handle(action: .item(2, 3), from: .here(), state: { GlobalState() }).run { outputs.record($0.action) }
        #expect(outputs.all == [.item(2, 0), .clear, .item(2, 2)])
    }

    @Test("A16: missing id, nil action, index out of bounds: nothing happens; first match wins on duplicate ids")
    func a16_reducer() {
        let lifts: [Reducer<GlobalAction, GlobalState>] = [
            add.liftToCollection(action: \GlobalAction.item, stateCollection: \GlobalState.items),
            add.liftToCollection(
                action: \GlobalAction.item,
                stateCollection: \GlobalState.items,
                identifier: \Item.id
            ),
        ]
        for lifted in lifts {
            var state = GlobalState()
            lifted.reduce(.item(3, 1), &state)
            lifted.reduce(.clear, &state)
            #expect(state == GlobalState())
            lifted.reduce(.item(1, 5), &state)
            #expect(state.items == [Item(id: 1, value: 5), Item(id: 2), Item(id: 1)])
        }
        let byIndex = add.liftToCollection(action: \GlobalAction.row, stateCollection: \GlobalState.items)
        var state = GlobalState()
        for index in [-1, 3] { byIndex.reduce(.row(ElementIndexAction(index: index, action: 1)), &state) }
        byIndex.reduce(.clear, &state)
        #expect(state == GlobalState())
        byIndex.reduce(.row(ElementIndexAction(index: 2, action: 1)), &state)
        #expect(state.items.map(\.value) == [0, 0, 1])
    }

    @MainActor
    @Test("A24: the source is the primary dispatcher through every lift to elements")
    func a24_source() async {
        let primary = ActionSource(file: "Primary.swift", function: "tap()", line: 42, info: "a finger")
        let part = AnyMiddleware<Int, Int, Item> { action, dispatcher, _ in
            #expect(dispatcher == primary)
            return action == 0 ? .pure() : IO { $0.dispatch(0, from: dispatcher) }
        }
        let effects = EffectMiddleware<Int, Int, Item, Void>.onAction { action, dispatcher, _ in
            #expect(dispatcher == primary)
            return action == 0 ? .doNothing : .just(0, from: dispatcher)
        }
        func byID(_ part: some MiddlewareProtocol<Int, Int, Item>) -> AnyMiddleware<
            GlobalAction, GlobalAction, GlobalState
        > {
            part.liftToCollection(inputAction: \.item, outputAction: GlobalAction.item, state: \.items)
                .eraseToAnyMiddleware()
        }
        typealias Lifted = AnyMiddleware<GlobalAction, GlobalAction, GlobalState>
        let lifts: [Lifted] = [
            byID(part),
            byID(effects),
            part.liftToCollection(action: \.item, stateCollection: \GlobalState.items).eraseToAnyMiddleware(),
            part.liftToCollection(
                inputAction: \GlobalAction.item,
                outputAction: GlobalAction.item,
                state: \GlobalState.items,
                identifier: \.id
            ).eraseToAnyMiddleware(),
            part.liftToDictionary(
                inputAction: \GlobalAction.item,
                outputAction: GlobalAction.item,
                state: \GlobalState.table
            ).eraseToAnyMiddleware(),
            part.liftToDictionary(action: \GlobalAction.item, stateDictionary: \GlobalState.table)
                .eraseToAnyMiddleware(),
            part.liftToOptional(
                inputAction: \GlobalAction.whole,
                outputAction: { GlobalAction.item(2, $0) },
                state: \GlobalState.chosen
            ).eraseToAnyMiddleware(),
            effects.liftToCollection(
                inputAction: \GlobalAction.item,
                outputAction: GlobalAction.item,
                stateCollection: \GlobalState.items
            ).eraseToAnyMiddleware(),
            effects.liftToCollection(action: \.item, stateCollection: \GlobalState.items).eraseToAnyMiddleware(),
        ]
        let byIndex = part.liftToCollection(
            inputAction: \GlobalAction.row,
            outputAction: GlobalAction.row,
            state: \GlobalState.items
        ).eraseToAnyMiddleware()
        func row(_ action: Int) -> GlobalAction { .row(ElementIndexAction(index: 1, action: action)) }
        let all: [(Lifted, [GlobalAction])] =
            lifts.map { ($0, [.item(2, 7), .item(2, 0)]) } + [(byIndex, [row(7), row(0)])]
        for (lifted, actions) in all {
            let received = Recorder<DispatchedAction<GlobalAction>>()
            let observer = Lifted { action, dispatcher, _ in
                received.record(DispatchedAction(action, dispatcher: dispatcher))
                return .pure()
            }
            let store = ReduxStoreBase(
                subject: .native(initialValue: GlobalState()),
                reducer: .identity,
                middleware: observer <> lifted
            )
            store.dispatch(actions[0], from: primary)
            await store.drain()
            #expect(received.all == actions.map { DispatchedAction($0, dispatcher: primary) })
        }
    }

    /// Reads its element in both passes, and dispatches 0 to it if it was asked by another number.
    private func reader() -> AnyMiddleware<Int, Int, Item> {
        AnyMiddleware { [log] action, dispatcher, state in
            guard action != 0 else { return .pure() }
            log.record("handle \(state().id) \(state().value)")
            return IO { output in
                log.record("work \(state().id) \(state().value)")
                output.dispatch(0, from: dispatcher)
            }
        }
    }

    @Test(
        "A17: absent at handle: not called; vanishing afterwards: .snapshot as upstream, by default skipped and counted",
        arguments: [(StoreEngine.thread(), false), (.caller, false), (.thread(), true), (.caller, true)],
        [VanishedElement.snapshot, .skip]
    )
    func a17_middleware(way: (engine: StoreEngine, byKeyPath: Bool), vanished: VanishedElement) async {
        let outputs = Recorder<GlobalAction>()
        let lifted =
            way.byKeyPath
            ? reader().liftToCollection(
                action: \GlobalAction.item,
                stateCollection: \GlobalState.items,
                vanished: vanished
            )
            : reader().liftToCollection(
                inputAction: \GlobalAction.item,
                outputAction: GlobalAction.item,
                state: \GlobalState.items,
                vanished: vanished
            )
        let reducer =
            add.liftToCollection(action: \GlobalAction.item, stateCollection: \GlobalState.items)
            <> Reducer<GlobalAction, GlobalState>.reduce { action, state in
                if action.item?.action == 9 { state.items.removeAll { $0.id == action.item?.id } }
                if action.item?.action == 0 { outputs.record(action) }
            }
        let store = ReduxStoreBase(
            initialState: GlobalState(),
            reducer: reducer,
            middleware: lifted,
            engine: way.engine
        )
        store.dispatch(.item(7, 1))
        store.dispatch(.item(2, 1))
        store.dispatch(.item(2, 9))
        store.dispatch(.item(2, 1))
        store.dispatch(.clear)
        await store.drain()
        await store.drain()
        if vanished == .snapshot {
            #expect(log.all == ["handle 2 0", "work 2 1", "handle 2 1", "work 2 1"])
            #expect(outputs.all == [.item(2, 0), .item(2, 0)])
            #expect(store.metrics.vanished == 0)
        } else {
            #expect(log.all == ["handle 2 0", "work 2 1", "handle 2 1"])
            #expect(outputs.all == [.item(2, 0)])
            #expect(store.metrics.vanished == 1)
        }
    }

    @Test("A17 ◇: a key path whose setter ignores the output does not send the handled action round again")
    func a17_noEcho() async {
        let count = Recorder<GlobalAction>()
        // Gives up some time, so that a failure of this test ends.
        let part = AnyMiddleware<Int, Int, Item> { _, dispatcher, _ in
            count.count < 100 ? IO { $0.dispatch(0, from: dispatcher) } : .pure()
        }
        let store = ReduxStoreBase(
            initialState: GlobalState(),
            reducer: Reducer<GlobalAction, GlobalState>.reduce { action, _ in count.record(action) },
            middleware: part.liftToCollection(
                action: \GlobalAction.deafItem,
                stateCollection: \GlobalState.items
            ),
            engine: .thread()
        )
        store.dispatch(.item(2, 1))
        await store.drain()
        await store.drain()
        #expect(count.all == [.item(2, 1)])
    }
}
