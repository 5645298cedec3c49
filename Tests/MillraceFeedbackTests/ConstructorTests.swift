// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import MillraceFeedback
import Testing

/// When each kind of feedback begins and cancels its effect. The state is a number, an event is the next one.
@Suite("Constructors of feedbacks")
struct ConstructorTests {
    /// Sends states to a loop with one feedback; returns what its effects have noted for each of them.
    private func notes(
        initial: Int = 0,
        states: [Int] = [],
        _ feedback: (Running<Int>) -> Feedback<Int, Int>
    ) -> [String] {
        let running = Running<Int>()
        let model = ViewModel(initial: initial, feedbacks: [feedback(running)], scheduler: .caller) { $1 }
        for state in states { model.send(event: state) }
        return withExtendedLifetime(model) { running.notes.all }
    }

    @Test("effects: begins at every state, the initial one included")
    func effects() {
        #expect(
            notes(states: [1, 1]) { running in Feedback(effects: { running.effect("\($0)") }) }
                == ["begin 0", "cancel 0", "begin 1", "cancel 1", "begin 1"]
        )
    }

    @Test("skippingRepeated: an equal control changes nothing, nil cancels")
    func skippingRepeated() {
        #expect(
            notes(states: [1, 1, 2, -1, -1, 2]) { running in
                Feedback(skippingRepeated: { $0 < 0 ? nil : $0 / 2 }, effects: { running.effect("\($0)") })
            } == ["begin 0", "cancel 0", "begin 1", "cancel 1", "begin 1"]
        )
    }

    @Test("lensing: begins anew at every state, equal or not; nil cancels")
    func lensing() {
        #expect(
            notes(states: [0, 1, -1, -1, 1]) { running in
                Feedback(lensing: { $0 < 0 ? nil : $0 }, effects: { running.effect("\($0)") })
            } == ["begin 0", "cancel 0", "begin 0", "cancel 0", "begin 1", "cancel 1", "begin 1"]
        )
    }

    @Test("A29: predicate is level-triggered")
    func predicate() {
        #expect(
            notes(initial: -1, states: [1, 2, -1, -2, 3]) { running in
                Feedback(predicate: { $0 > 0 }, effects: { running.effect("\($0)") })
            } == ["begin 1", "cancel 1", "begin 2", "cancel 2", "begin 3"]
        )
    }

    @Test("A29: whenBecomesTrue is edge-triggered, and an initial state that is true is an edge")
    func whenBecomesTrue() {
        #expect(
            notes(initial: 5, states: [1, 2, -1, -2, 3, 4]) { running in
                Feedback(whenBecomesTrue: { $0 > 0 }, effects: { running.effect("\($0)") })
            } == ["begin 5", "cancel 5", "begin 3"]
        )
    }

    @Test("firstValueAfterNil: begins with the first value, and only nil cancels")
    func firstValueAfterNil() {
        #expect(
            notes(initial: -1, states: [1, 2, -1, -2, 3]) { running in
                Feedback(firstValueAfterNil: { $0 < 0 ? nil : $0 }, effects: { running.effect("\($0)") })
            } == ["begin 1", "cancel 1", "begin 3"]
        )
    }

    @Test("compacting: nil leaves the effect alone")
    func compacting() {
        #expect(
            notes(initial: -1, states: [1, -1, 1, -2, 3]) { running in
                Feedback(compacting: { $0 < 0 ? nil : $0 }, effects: { running.effect("\($0)") })
            } == ["begin 1", "cancel 1", "begin 1", "cancel 1", "begin 3"]
        )
    }

    @Test("combine: each part keeps its own effect, in order")
    func combine() {
        #expect(
            notes(states: [1, 2]) { running in
                .combine(
                    Feedback(predicate: { $0 == 1 }, effects: { _ in running.effect("a") }),
                    .combine([
                        Feedback(skippingRepeated: { $0 < 2 ? true : nil }, effects: { _ in running.effect("b") })
                    ]),
                    .combine()
                )
            } == ["begin b", "begin a", "cancel a", "cancel b"]
        )
    }

    @Test("a feedback without an effect for its control cancels the one before")
    func doNothing() {
        #expect(
            notes(states: [1]) { running in
                Feedback(skippingRepeated: { $0 }, effects: { $0 == 0 ? running.effect("0") : .doNothing })
            } == ["begin 0", "cancel 0"]
        )
    }

    /// The states of a machine that ends at 3, for feedbacks that add one.
    private func states(_ feedback: Feedback<Int, Int>) async -> [Int] {
        let loop = FeedbackLoop.system(initial: 0, feedbacks: [feedback], reduce: { $0 + $1 })
        var states: [Int] = []
        for await state in loop.prefix(4) { states.append(state) }
        return states
    }

    @Test("closures as effects", arguments: Forms.closures)
    func closures(name: String, feedback: Feedback<Int, Int>) async {
        #expect(await states(feedback) == [0, 1, 2, 3])
    }

    @Test("sequences as effects", arguments: Forms.sequences)
    func sequences(name: String, feedback: Feedback<Int, Int>) async {
        #expect(await states(feedback) == [0, 1, 2, 3])
    }

    @Test("streams of states", arguments: Forms.streams)
    func streams(name: String, feedback: Feedback<Int, Int>) async {
        #expect(await states(feedback) == [0, 1, 2, 3])
    }
}

/// Feedbacks that add one to a number until it is three.
private enum Forms {
    static let closures: [(String, Feedback<Int, Int>)] = [
        ("effects", Feedback(effect: { $0 < 3 ? 1 : nil })),
        ("skippingRepeated", Feedback(skippingRepeated: { $0 < 3 ? $0 : nil }, effect: { _ in 1 })),
        ("lensing", Feedback(lensing: { $0 < 3 ? $0 : nil }, effect: { _ in 1 })),
        ("predicate", Feedback(predicate: { $0 < 3 }, effect: { _ in 1 })),
        (
            "whenBecomesTrue",
            .combine((0..<3).map { number in Feedback(whenBecomesTrue: { $0 == number }, effect: { _ in 1 }) })
        ),
        (
            "firstValueAfterNil",
            .combine(
                (0..<3).map { number in Feedback(firstValueAfterNil: { $0 == number ? 1 : nil }, effect: { $0 }) }
            )
        ),
        ("compacting", Feedback(compacting: { $0 < 3 ? $0 : nil }, effect: { _ in 1 })),
    ]

    static func one() -> AsyncStream<Int> {
        AsyncStream { events in
            events.yield(1)
            events.finish()
        }
    }

    static let sequences: [(String, Feedback<Int, Int>)] = [
        ("effects", Feedback(effects: { $0 < 3 ? Forms.one() : AsyncStream { $0.finish() } })),
        ("skippingRepeated", Feedback(skippingRepeated: { $0 < 3 ? $0 : nil }, effects: { _ in Forms.one() })),
        ("lensing", Feedback(lensing: { $0 < 3 ? $0 : nil }, effects: { _ in Forms.one() })),
        ("predicate", Feedback(predicate: { $0 < 3 }, effects: { _ in Forms.one() })),
        (
            "whenBecomesTrue",
            .combine(
                (0..<3).map { number in Feedback(whenBecomesTrue: { $0 == number }, effects: { _ in Forms.one() }) }
            )
        ),
        (
            "firstValueAfterNil",
            .combine(
                (0..<3).map { number in
                    Feedback(firstValueAfterNil: { $0 == number ? 1 : nil }, effects: { _ in Forms.one() })
                }
            )
        ),
        ("compacting", Feedback(compacting: { $0 < 3 ? $0 : nil }, effects: { _ in Forms.one() })),
    ]

    static let streams: [(String, Feedback<Int, Int>)] = [
        ("events", Feedback(events: { states in states.filter { $0 < 3 }.map { _ in 1 } })),
        ("deriving, effects", Feedback(deriving: { $0.filter { $0 < 3 } }, effects: { _ in .just(1) })),
        ("deriving, sequences", Feedback(deriving: { $0.filter { $0 < 3 } }, effects: { _ in Forms.one() })),
        ("compacting states", .compacting(state: { $0.filter { $0 < 3 } }, effects: { _ in .just(1) })),
        ("compacting states, sequences", .compacting(state: { $0.filter { $0 < 3 } }, effects: { _ in Forms.one() })),
        (
            "compacting events, sequences",
            .combine(
                Feedback(whenBecomesTrue: { $0 == 0 }, effects: { _ in .just(1) }),
                .compacting(events: { $0.prefix(2) }, effects: { _ in Forms.one() })
            )
        ),
        (
            "compacting events",
            .combine(
                Feedback(whenBecomesTrue: { $0 == 0 }, effects: { _ in .just(1) }),
                .compacting(events: { $0.prefix(2) }, effects: { .just($0) })
            )
        ),
    ]
}
