// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceEffects
import MillraceFeedback
import MillraceObservation
import TestSupport
import Testing

private struct Form: Sendable, Equatable {
    var name = ""
    var count = 0
    var isOn = false

    enum Event: Sendable { case named(String), increment, toggled }

    static let reducer = Reducer<Event, Form>.reduce { event, form in
        switch event {
        case .named(let name): form.name = name.uppercased()
        case .increment: form.count += 1
        case .toggled: form.isOn.toggle()
        }
    }
}

private func formModel(
    _ feedbacks: [Feedback<Form, Form.Event>] = [],
    scheduler: StoreEngine = .caller
) -> ViewModel<Form, Form.Event> {
    ViewModel(initial: Form(), feedbacks: feedbacks, scheduler: scheduler, reducer: Form.reducer)
}

/// What a view has in its hands.
@Suite("View models, contexts and widgets", .timeLimit(.minutes(5)))
struct ViewModelTests {
    @Test("send goes through the reducer, mutate past it, both in one queue, and feedbacks see both")
    func sendAndMutate() {
        let seen = Notes()
        let model = formModel([
            Feedback(effects: { form in
                seen.add("\(form.name) \(form.count)")
                return form.count == 1 && form.name == "ADA" ? .just(.named("ended")) : .doNothing
            })
        ])
        model.send(event: .named("ada"))
        model.mutate(keyPath: \.count, value: 7)
        model.mutate(keyPath: \.count, value: 0)
        model.send(event: .increment)
        #expect(model.currentState == Form(name: "ENDED", count: 1))
        #expect(seen.all == [" 0", "ADA 0", "ADA 7", "ADA 0", "ADA 1", "ENDED 1"])
    }

    @Test(
        "an event that a feedback answers at once is handled after those that wait, or before",
        arguments: ActionOrder.allCases
    )
    func order(order: ActionOrder) async {
        let gate = DispatchSemaphore(value: 0)
        @Sendable func reduce(_ handled: [Int], _ event: Int) -> [Int] {
            if event == 1 { gate.wait() }
            return handled + [event]
        }
        let answering = Feedback<[Int], Int>(effects: { $0.last == 1 ? .just(10) : .doNothing })
        let models = [
            ViewModel(initial: [], feedbacks: [answering], order: order, reducer: reduce),
            ViewModel(
                initial: [],
                feedbacks: [answering],
                order: order,
                reducer: .reduce { event, handled in handled = reduce(handled, event) }
            ),
        ]
        for model in models {
            for event in 1...3 { model.send(event: event) }
            gate.signal()
            await model.drain()
            await model.drain()
            #expect(model.currentState == (order == .fifo ? [1, 2, 3, 10] : [1, 10, 2, 3]))
        }
    }

    @Test("A38: there is one machine, and all who read the state see it")
    func shared() async {
        let begun = Tally()
        let model = formModel(
            [
                Feedback(
                    whenBecomesTrue: { _ in true },
                    effects: { _ in
                        begun.add()
                        return .just(.increment)
                    }
                )
            ],
            scheduler: .thread()
        )
        await model.drain()
        await model.drain()
        for _ in 0..<2 {
            for await form in model.state {
                #expect(form.count == 1)
                break
            }
        }
        #expect(begun.count == 1)
    }

    @Test("a context reads members, and changes the view model, not itself")
    func context() {
        let model = formModel()
        let context = Context(state: model.currentState, viewModel: model)
        #expect(context.name == "")
        context.send(event: .named("ada"))
        context.action(for: .increment)()
        context.binding(for: \.name, event: { .named($0) }).wrappedValue = "eve"
        context.binding(for: \.isOn, event: .toggled).wrappedValue = false
        #expect(model.currentState == Form(name: "EVE", count: 1, isOn: true))
        let name = context.binding(for: \.name)
        name.wrappedValue = "as it is"
        #expect(model.currentState.name == "as it is")
        #expect(name.wrappedValue == "")
        #expect(context.count == 0)
    }

    @MainActor
    @Test(
        "a terminal widget draws the current state, then what has changed",
        arguments: [.main, .thread()] as [StoreEngine]
    )
    func widget(engine: StoreEngine) async {
        let model = formModel(scheduler: engine)
        var frames: [String] = []
        let widget = TerminalWidget(viewModel: model, write: { frames.append($0) }) { "count \($0.count)" }
        #expect(frames == ["count 0"])
        model.send(event: .increment)
        #expect(await eventually { frames.last == "count 1" })
        // Not seen in the text, so not drawn.
        model.send(event: .named("ada"))
        await model.drain()
        for _ in 0..<3 { await mainQueueTurn() }
        #expect(frames == ["count 0", "count 1"])
        model.send(event: .increment)
        model.send(event: .increment)
        #expect(await eventually { widget.text == "count 3" })
    }

    @MainActor
    @Test("a released widget draws no more, and releases the view model")
    func releasedWidget() async {
        var model: ViewModel<Form, Form.Event>? = formModel(scheduler: .main)
        weak let released = model
        var frames: [String] = []
        if let model {
            let widget = TerminalWidget(viewModel: model, write: { frames.append($0) }) { "count \($0.count)" }
            withExtendedLifetime(widget) {}
        }
        model?.send(event: .increment)
        for _ in 0..<3 { await mainQueueTurn() }
        #expect(frames == ["count 0"])
        model = nil
        #expect(await eventually { released == nil })
    }

    @MainActor
    @Test("as a store it has an observable store and projections")
    func store() async {
        let model = formModel(scheduler: .main)
        let observable = model.asObservableStore(initialState: model.currentState)
        observable.dispatch(.increment)
        #expect(observable.count == 1)
        let counter = model.projection(action: { (_: Void) in Form.Event.increment }, state: { $0.count })
        counter.dispatch(())
        #expect(model.currentState.count == 2)
    }
}

/// Returns after the main queue has run what was in it.
@MainActor
private func mainQueueTurn() async {
    await withCheckedContinuation { turn in DispatchQueue.main.async { turn.resume() } }
}
