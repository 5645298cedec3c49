// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport
import Testing

@MainActor
@Suite("Conformance: view models", .timeLimit(.minutes(5)))
struct ViewModelConformanceTests {
    private let log = Recorder<String>()

    private func makeStore(_ sources: Recorder<ActionSource> = Recorder()) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            subject: .native(initialValue: 1),
            reducer: Reducer<Int, Int>.reduce { action, state in state += action },
            middleware: AnyMiddleware<Int, Int, Int> { _, source, _ in
                sources.record(source)
                return .pure()
            }
        )
    }

    @Test("A11: the initial state is replaced by the store's before init returns; .never still delivers that one")
    func a11_initialState() {
        let store = makeStore()
        #expect(store.asObservableViewModel(initialState: -1).state == 1)
        let never = store.asObservableViewModel(initialState: -1, emitsValue: .never)
        #expect(never.state == 1)
        never.dispatch(3)
        #expect(never.state == 1)
        #expect(store.state == 4)
        let silent = AnyStoreType<Int, Int>(action: { _ in }, state: UnfailableSubject<Int>.native().publisher)
        #expect(silent.asObservableViewModel(initialState: -1).state == -1)
    }

    @Test("A13: view models retain the store; nothing else does, and a view model is released")
    func a13_retention() {
        weak var store: ReduxStoreBase<Int, Int>?
        weak var released: ObservableViewModel<Int, Int>?
        var model: ObservableViewModel<Int, Int>?
        do {
            let made = makeStore()
            store = made
            model = made.projection(action: { $0 }, state: { $0 }).asObservableViewModel(initialState: 0)
            released = model
        }
        model?.dispatch(1)
        #expect(store != nil)
        #expect(model?.state == 2)
        model = nil
        #expect(store == nil)
        #expect(released == nil)
    }

    @Test("A24: a view model keeps the source of an action, and its own dispatch tells the line of the call")
    func a24_source() {
        let sources = Recorder<ActionSource>()
        let model = makeStore(sources).projection(action: { (text: String) in Int(text) }, state: { $0 })
            .asObservableViewModel(initialState: 0)
        let source = ActionSource(file: "A/B.swift", function: "c()", line: 9, info: "d")
        model.dispatch("1", from: source)
        model.dispatch(DispatchedAction("2", dispatcher: source))
        model.dispatch("3", info: "here")
        let here = ActionSource(file: #fileID, function: #function, line: #line - 1, info: "here")
        #expect(sources.all == [source, source, here])
    }

    @Test("A36: the notice comes before the change; subscribing alone does not bring one")
    func a36_willChange() {
        let model = makeStore().asObservableViewModel(initialState: 0)
        let cancellable = model.objectWillChange.sink { [weak model, log] in
            MainActor.assumeIsolated { log.record("\(model?.state ?? 0)") }
        }
        #expect(log.all.isEmpty)
        model.dispatch(1)
        model.dispatch(1)
        #expect(log.all == ["1", "2"])
        #expect(model.state == 3)
        model.dispatch(0)
        #expect(log.count == 2)
        cancellable.cancel()
    }
}
