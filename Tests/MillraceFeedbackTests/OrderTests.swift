// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import MillraceEffects
import MillraceFeedback
import MillraceTesting
import TestSupport
import Testing

/// In which order a loop begins, and in which it handles events and effects.
@Suite("Order in feedback loops", .timeLimit(.minutes(5)))
struct OrderTests {
    @Test("A39: the feedbacks see the initial state in order, before events that were sent at once")
    func start() throws {
        let world = SimulatedWorld(seed: 1)
        let notes = Notes()
        let model = ViewModel(
            initial: 0,
            feedbacks: ["first", "second"].map { name in
                Feedback(effects: { state in
                    notes.add("\(name) sees \(state)")
                    return .doNothing
                })
            },
            scheduler: .simulated(in: world),
            reducer: { $0 + $1 }
        )
        model.send(event: 1)
        #expect(notes.all.isEmpty)
        try world.run()
        #expect(notes.all == ["first sees 0", "second sees 0", "first sees 1", "second sees 1"])
    }

    @Test("two feedbacks that answer at once take turns, and their events go to the tail")
    func turns() async {
        let loop = FeedbackLoop.system(
            initial: "",
            feedbacks: ["a", "b"].map { letter in
                Feedback<String, String>(predicate: { $0.count < 6 }, effects: { _ in .just(letter) })
            },
            scheduler: .caller,
            reduce: { $0 + $1 }
        )
        var last = ""
        for await state in loop.prefix(7) { last = state }
        #expect(last == "ababab")
    }

    @Test("an effect that another thread completes before its start returns answers no newer state")
    func completedElsewhere() async {
        struct State: Sendable {
            var key = 0
            var answers: [Int] = []
        }
        enum Event: Sendable {
            case key(Int)
            case answer(Int)
        }
        let answering = Feedback<State, Event>(
            skippingRepeated: { $0.key == 0 ? nil : $0.key },
            effects: { key in
                Effect { _, sink in
                    let isDone = DispatchSemaphore(value: 0)
                    Thread.detachNewThread {
                        sink.send(DispatchedAction(.answer(key)))
                        sink.complete()
                        isDone.signal()
                    }
                    isDone.wait()
                }
            }
        )
        let model = ViewModel<State, Event>(
            initial: State(),
            feedbacks: [answering],
            reducer: .reduce { event, state in
                switch event {
                case .key(let key): state.key = key
                case .answer(let key): state.answers.append(key - state.key)
                }
            }
        )
        for key in 1...100 { model.send(event: .key(key)) }
        // The answer to the last state is sent while the event before it is handled.
        await model.drain()
        await model.drain()
        #expect(model.currentState.answers.allSatisfy { $0 == 0 })
        #expect(model.currentState.answers.last == 0)
    }

    @Test("A38: all states come, one for each event, to each iteration its own")
    func cold() async {
        let loop = FeedbackLoop.system(
            initial: 0,
            feedbacks: [Feedback(whenBecomesTrue: { $0 == 0 }, effects: { _ in .sequence([1, 1, 1]) })],
            reduce: { $0 + $1 }
        )
        for _ in 0..<2 {
            var states: [Int] = []
            for await state in loop.prefix(4) { states.append(state) }
            #expect(states == [0, 1, 2, 3])
        }
    }

    @Test("A29: the old effect is cancelled before the new one begins, and what it has queued is not reduced")
    func cancelledFirst() {
        let running = Running<String>()
        let model = ViewModel<[String], String>(
            initial: [],
            feedbacks: [
                Feedback(
                    skippingRepeated: { $0.count(where: { $0.hasPrefix("key") }) },
                    effects: { running.effect("\($0)") }
                ),
                // Both events wait when the first feedback has seen "key 1": its effect is cancelled by then.
                Feedback(
                    whenBecomesTrue: { $0.last == "go" },
                    effects: { _ in
                        Effect { _, sink in
                            sink.send(DispatchedAction("key 1"))
                            running.send("old answer", from: "0")
                            running.complete("0")
                            sink.send(DispatchedAction("other"))
                            sink.complete()
                        }
                    }
                ),
            ],
            scheduler: .caller,
            reducer: { $0 + [$1] }
        )
        model.send(event: "go")
        #expect(running.notes.all == ["begin 0", "begin 1"])
        #expect(model.currentState == ["go", "key 1", "other"])
        #expect(model.store.metrics.cancelled == 1)
        running.send("new answer", from: "1")
        #expect(model.currentState.last == "new answer")
    }

    @Test("an effect that was over at once keeps its events")
    func atOnce() {
        let model = ViewModel<[Int], Int>(
            initial: [],
            feedbacks: [
                Feedback(
                    skippingRepeated: \.count,
                    effects: { $0 < 3 ? .sequence([10 * $0, 10 * $0 + 1]) : .doNothing }
                )
            ],
            scheduler: .caller,
            reducer: { $0 + [$1] }
        )
        #expect(model.currentState == [0, 1, 10, 11, 20, 21])
    }

    @Test("events of several threads are all reduced", arguments: [.thread(), .caller] as [StoreEngine])
    func threads(engine: StoreEngine) async {
        let model = ViewModel<Int, Int>(
            initial: 0,
            feedbacks: [Feedback(predicate: { $0 < 0 }, effects: { _ in .just(0) })],
            scheduler: engine,
            reducer: { $0 + $1 }
        )
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<1_000 { model.send(event: 1) } } }
        }
        await model.drain()
        #expect(model.currentState == 4_000)
    }
}
