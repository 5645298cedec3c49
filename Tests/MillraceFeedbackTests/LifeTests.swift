// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import MillraceFeedback
import MillraceTesting
import TestSupport
import Testing

/// How loops end.
@Suite("The end of feedback loops", .timeLimit(.minutes(5)))
struct LifeTests {
    @Test("an effect that runs is cancelled with the iteration")
    func iteration() async {
        let running = Running<Int>()
        let loop = FeedbackLoop.system(
            initial: 0,
            feedbacks: [Feedback(whenBecomesTrue: { $0 == 0 }, effects: { _ in running.effect("long") })],
            reduce: { $0 + $1 }
        )
        for await _ in loop.prefix(1) {}
        #expect(await eventually { running.notes.all.last != "begin long" })
        // Cancelled, or never begun.
        #expect([["begin long", "cancel long"], []].contains(running.notes.all))
    }

    @Test("a loop whose feedback always answers ends with its iteration")
    func endless() async {
        let seen = Tally()
        let gone = Tally()
        do {
            let witness = Witness { gone.add() }
            let loop = FeedbackLoop.system(
                initial: 0,
                feedbacks: [
                    Feedback(effects: { _ in
                        seen.add()
                        return withExtendedLifetime(witness) { .just(1) }
                    })
                ],
                reduce: { $0 + $1 }
            )
            for await _ in loop.prefix(3) {}
        }
        #expect(await eventually { gone.count == 1 })
        // The third state may end the loop before the feedback sees it.
        #expect(seen.count >= 2)
    }

    @Test("a view model cancels its effects when it is released", arguments: [.thread(), .caller] as [StoreEngine])
    func viewModel(engine: StoreEngine) async {
        let running = Running<Int>()
        var model: ViewModel<Int, Int>? = ViewModel(
            initial: 0,
            feedbacks: [Feedback(effects: { running.effect("\($0)") })],
            scheduler: engine,
            reducer: { $0 + $1 }
        )
        await model?.drain()
        #expect(running.notes.all == ["begin 0"])
        model = nil
        #expect(running.notes.all == ["begin 0", "cancel 0"])
    }

    @Test("a shutdown of the store cancels the effects, although the view model lives")
    func shutdown() async {
        let running = Running<Int>()
        let model = ViewModel(
            initial: 0,
            feedbacks: [Feedback(effects: { running.effect("\($0)") })],
            reducer: { $0 + $1 }
        )
        await model.drain()
        let report = await model.store.shutdown(deadline: .seconds(60))
        #expect(report.isComplete)
        #expect(await eventually { running.notes.all == ["begin 0", "cancel 0"] })
        withExtendedLifetime(model) {}
    }

    @Test("the stream of states ends with the loop")
    func streams() async {
        let ended = Tally()
        var model: ViewModel<Int, Int>? = ViewModel(
            initial: 0,
            feedbacks: [
                Feedback(events: { states in
                    AsyncStream { events in
                        Task {
                            for await _ in states {}
                            ended.add()
                            events.finish()
                        }
                    }
                })
            ],
            reducer: { $0 + $1 }
        )
        await model?.drain()
        #expect(ended.count == 0)
        model = nil
        #expect(await eventually { ended.count == 1 })
    }

    @Test("a cancelled task ends its loop")
    func cancelledTask() async {
        let loop = FeedbackLoop.system(
            initial: 0,
            feedbacks: [],
            reduce: { (state: Int, event: Int) in state + event }
        )
        let task = Task { for await _ in loop {} }
        task.cancel()
        await task.value
    }
}

/// Says when it is released.
private final class Witness: Sendable {
    private let released: @Sendable () -> Void

    init(_ released: @escaping @Sendable () -> Void) { self.released = released }

    deinit { released() }
}
