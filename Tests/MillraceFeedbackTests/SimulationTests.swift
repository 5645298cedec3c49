// SPDX-License-Identifier: Apache-2.0

import MillraceEffects
import MillraceFeedback
import MillraceTesting
import Testing

/// A law that a loop broke.
private struct Broken: Error, CustomStringConvertible {
    let description: String
}

/// A search whose reducer notes answers to older queries.
private struct Search: Sendable {
    var query = 0
    var answers: [Int] = []
    var stale = 0

    enum Event: Sendable, Hashable {
        case typed(Int)
        case found(Int)
        case noise
    }

    static let reducer = Reducer<Event, Search>.reduce { event, state in
        switch event {
        case .typed(let query):
            state.query = query
            state.answers = []
        case .found(let query):
            if query != state.query { state.stale += 1 }
            state.answers.append(query)
        case .noise: break
        }
    }
}

/// The laws of loops, under thousands of schedules.
@Suite("Feedback loops in simulated worlds", .timeLimit(.minutes(5)))
struct SimulationTests {
    private func explore(_ feedback: Feedback<Search, Search.Event>, answers: Int) throws {
        try SimulatedWorld.explore(seeds: 0..<2_000) { world in
            let model = ViewModel(
                initial: Search(),
                feedbacks: [feedback],
                scheduler: .simulated(in: world),
                reducer: Search.reducer
            )
            world.thread("typist") { for query in 1...4 { model.send(event: .typed(query)) } }
            world.thread("noise") { for _ in 0..<4 { model.send(event: .noise) } }
            try world.run()
            let state = model.currentState
            if state.stale > 0 { throw Broken(description: "an answer to an older query was reduced") }
            if state.answers != Array(repeating: 4, count: answers) {
                throw Broken(description: "the last query was answered by \(state.answers)")
            }
            let metrics = model.store.metrics
            if metrics.offered != metrics.reduced + metrics.cancelled || metrics.pending != 0 {
                throw Broken(description: "an event is lost: \(metrics)")
            }
        }
    }

    @Test("a task of an old state delivers nothing")
    func task() throws {
        try explore(
            Feedback(skippingRepeated: { $0.query == 0 ? nil : $0.query }, effect: { .found($0) }),
            answers: 1
        )
    }

    @Test("a sequence of an old state delivers nothing, also after it has ended")
    func sequence() throws {
        try explore(
            Feedback(
                skippingRepeated: { $0.query == 0 ? nil : $0.query },
                effects: { query in
                    AsyncStream { events in
                        for _ in 0..<3 { events.yield(Search.Event.found(query)) }
                        events.finish()
                    }
                }
            ),
            answers: 3
        )
    }

    @Test("a delayed effect of an old state delivers nothing")
    func delayed() throws {
        try explore(
            Feedback(
                skippingRepeated: { $0.query == 0 ? nil : $0.query },
                effects: { query in .task { _ in .found(query) }.delay(for: .milliseconds(300)) }
            ),
            answers: 1
        )
    }

    @Test("no event of several threads and feedbacks is lost, and each thread's events keep their order")
    func noEventLost() throws {
        try SimulatedWorld.explore(seeds: 0..<2_000) { world in
            let model = ViewModel<[Int], Int>(
                initial: [],
                feedbacks: [
                    // Each answers every event of a thread once, at once; the second by a task that nothing cancels.
                    Feedback(
                        compacting: { $0.last.flatMap { $0 < 100 ? $0 : nil } },
                        effects: { .just(100 + $0) }
                    ),
                    Feedback(skippingRepeated: { $0.isEmpty ? nil : true }, effect: { _ in 1_000 }),
                ],
                scheduler: .simulated(in: world),
                reducer: { $0 + [$1] }
            )
            for thread in 0..<3 {
                world.thread("thread \(thread)") { for number in 0..<5 { model.send(event: thread * 5 + number) } }
            }
            try world.run()
            let sent = model.currentState.filter { $0 < 100 }
            let answered = model.currentState.filter { 100 <= $0 && $0 < 1_000 }.map { $0 - 100 }
            if sent.sorted() != Array(0..<15) { throw Broken(description: "sent \(sent)") }
            if answered != sent { throw Broken(description: "\(sent) was answered by \(answered)") }
            if model.currentState.count(where: { $0 == 1_000 }) != 1 { throw Broken(description: "no task's event") }
            for thread in 0..<3 {
                let own = sent.filter { $0 / 5 == thread }
                if own != own.sorted() { throw Broken(description: "the order of thread \(thread) is \(own)") }
            }
        }
    }

    @Test("of a derived stream the last control is answered last", arguments: [true, false])
    func derived(isOfStates: Bool) throws {
        let feedback: Feedback<Search, Search.Event> =
            isOfStates
            ? Feedback(
                deriving: { states in states.filter { $0.answers.isEmpty && $0.query != 0 }.map(\.query) },
                effects: { query in .task { _ in .found(query) } }
            )
            : .compacting(
                events: { events in
                    events.compactMap { event in if case .typed(let query) = event { query } else { nil } }
                },
                effects: { query in .task { _ in .found(query) } }
            )
        try SimulatedWorld.explore(seeds: 0..<1_000) { world in
            let model = ViewModel(
                initial: Search(),
                feedbacks: [feedback],
                scheduler: .simulated(in: world),
                reducer: Search.reducer
            )
            world.thread("typist") { for query in 1...3 { model.send(event: .typed(query)) } }
            try world.run()
            if model.currentState.answers.last != 3 {
                throw Broken(description: "the last query was answered by \(model.currentState.answers)")
            }
        }
    }

    @Test("a released view model leaves nothing running")
    func release() throws {
        try SimulatedWorld.explore(seeds: 0..<1_000) { world in
            let begun = Tally()
            let ended = Tally()
            var model: ViewModel<Int, Int>? = ViewModel(
                initial: 0,
                feedbacks: [
                    Feedback(effects: { _ in
                        Effect { _, sink in
                            begun.add()
                            sink.onCancel { ended.add() }
                        }
                    })
                ],
                scheduler: .simulated(in: world),
                reducer: { $0 + $1 }
            )
            world.thread("sender") { [model] in for _ in 0..<4 { model?.send(event: 1) } }
            model = nil
            try world.run()
            if begun.count != ended.count { throw Broken(description: "\(begun.count) began, \(ended.count) ended") }
        }
    }
}
