// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCombine
import MillraceFeedback
import SchedulerTestSupport
import TestSupport
import Testing

#if canImport(Combine)
    import Combine
#else
    @preconcurrency import OpenCombine
#endif

/// A scheduler that runs what it is given when the test says so.
private struct ManualScheduler: Scheduler {
    typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    let jobs = Shared<[Job]>([])

    struct Job: @unchecked Sendable {
        // Unchecked: the test runs it on its own thread.
        let body: () -> Void
    }

    var now: SchedulerTimeType { ImmediateScheduler.shared.now }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) {
        let job = Job(body: action)
        jobs.update { $0.append(job) }
    }

    func schedule(
        after date: SchedulerTimeType,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) {
        schedule(options: nil, action)
    }

    func schedule(
        after date: SchedulerTimeType,
        interval: SchedulerTimeType.Stride,
        tolerance: SchedulerTimeType.Stride,
        options: Never?,
        _ action: @escaping () -> Void
    ) -> any Cancellable {
        schedule(options: nil, action)
        return AnyCancellable {}
    }

    /// Runs what waits; returns the number of jobs.
    @discardableResult
    func run() -> Int {
        let ready = jobs.update { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in ready { job.body() }
        return ready.count
    }
}

/// Feedback loops of publishers.
@Suite("Feedback loops of publishers", .timeLimit(.minutes(5)))
struct FeedbackPublisherTests {
    /// The first states of a machine that begins at 0.
    private func states(_ feedback: Feedback<Int, Int>, count: Int = 4) -> [Int] {
        let states = Recorder<Int>()
        let subscription = Publishers.system(
            initial: 0,
            feedbacks: [feedback],
            scheduler: ImmediateScheduler.shared,
            reduce: { $0 + $1 }
        ).sink { states.record($0) }
        return withExtendedLifetime(subscription) { states.all }
    }

    @Test("publishers as effects", arguments: Forms.effects)
    func effects(name: String, feedback: Feedback<Int, Int>) {
        #expect(states(feedback) == [0, 1, 2, 3])
    }

    @Test("publishers of states", arguments: Forms.streams)
    func streams(name: String, feedback: Feedback<Int, Int>) {
        #expect(states(feedback) == [0, 1, 2, 3])
    }

    @Test("A39: the subscriber gets each state before the feedbacks see it, the initial one included")
    func subscriberFirst() {
        let notes = Recorder<String>()
        let subscription = Publishers.system(
            initial: 0,
            feedbacks: ["first", "second"].map { name in
                Feedback(effects: { state -> Effect<Void, Int> in
                    notes.record("\(name) sees \(state)")
                    return state == 0 && name == "first" ? .just(1) : .doNothing
                })
            },
            scheduler: ImmediateScheduler.shared,
            reduce: { $0 + $1 }
        ).sink { notes.record("subscriber gets \($0)") }
        withExtendedLifetime(subscription) {}
        #expect(
            notes.all == [
                "subscriber gets 0", "first sees 0", "second sees 0",
                "subscriber gets 1", "first sees 1", "second sees 1",
            ]
        )
    }

    @Test("A38: each subscription runs a machine of its own; cancelling one cancels its effects")
    func cold() {
        let subject = Unchecked(PassthroughSubject<Int, Never>())
        let system = Publishers.system(
            initial: 0,
            feedbacks: [Feedback(whenBecomesTrue: { _ in true }, effects: { _ in subject.value })],
            scheduler: ImmediateScheduler.shared,
            reduce: { $0 + $1 }
        )
        let first = Recorder<Int>()
        let second = Recorder<Int>()
        let one = system.sink { first.record($0) }
        subject.value.send(1)
        let two = system.sink { second.record($0) }
        subject.value.send(1)
        one.cancel()
        subject.value.send(5)
        #expect(first.all == [0, 1, 2])
        #expect(second.all == [0, 1, 6])
        two.cancel()
        subject.value.send(1)
        #expect(second.all == [0, 1, 6])
    }

    @Test("a loop that always answers ends when its subscriber has enough")
    func prefix() {
        let system = Publishers.system(
            initial: 0,
            feedbacks: [Feedback<Int, Int>(effects: { _ in Just(1) })],
            scheduler: ImmediateScheduler.shared,
            reduce: { $0 + $1 }
        )
        let states = Recorder<Int>()
        let subscription = system.prefix(3).sink { states.record($0) }
        withExtendedLifetime(subscription) {}
        #expect(states.all == [0, 1, 2])
    }

    @Test("the publisher of states completes when the loop is cancelled")
    func completion() {
        let notes = Recorder<String>()
        let subscription = Publishers.system(
            initial: 0,
            feedbacks: [
                Feedback<Int, Int>(events: { states in
                    states.handleEvents(
                        receiveOutput: { notes.record("\($0)") },
                        receiveCompletion: { _ in notes.record("completed") },
                        receiveCancel: { notes.record("cancelled") }
                    ).filter { _ in false }
                })
            ],
            scheduler: ImmediateScheduler.shared,
            reduce: { $0 + $1 }
        ).sink { _ in }
        #expect(notes.all == ["0"])
        subscription.cancel()
        #expect(notes.all == ["0", "cancelled"])
    }

    @Test("schedulers of dispatch are the engines of a store")
    func engines() {
        let queue = DispatchQueue(label: "loop")
        #expect(StoreEngine.scheduler(queue) == .queue(queue))
        #expect(StoreEngine.scheduler(DispatchQueue.main) == .main)
        #expect(StoreEngine.scheduler(ImmediateScheduler.shared) == .caller)
        #expect(StoreEngine.scheduler(ASAPScheduler.default) == .main)
    }

    @Test("any other scheduler runs the loop, one turn for all that waits")
    func scheduler() {
        let scheduler = ManualScheduler()
        do {
            let model = ViewModel<Int, Int>(
                initial: 0,
                feedbacks: [Feedback(predicate: { $0 == 3 }, effects: { _ in Just(10) })],
                scheduler: .scheduler(scheduler),
                reducer: { $0 + $1 }
            )
            for _ in 0..<3 { model.send(event: 1) }
            #expect(model.currentState == 0)
            #expect(scheduler.run() == 1)
            while scheduler.run() > 0 {}
            #expect(model.currentState == 13)
            model.send(event: 1)
            #expect(scheduler.run() == 1)
            #expect(model.currentState == 14)
            while scheduler.run() > 0 {}
            #expect(scheduler.run() == 0)
        }
        // The end of the store is a job, too.
        while scheduler.run() > 0 {}
    }

    @Test(
        "a scheduler with a publication at times publishes the last state",
        arguments: [Publication.everyAction, .batch]
    )
    func publication(publication: Publication) async {
        let queue = DispatchQueue(label: "any")
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: .reduce { $1 += $0 },
            engine: .scheduler(UnknownScheduler(queue: queue)),
            publication: publication
        )
        await withTaskGroup { group in
            for _ in 0..<4 { group.addTask { for _ in 0..<2_000 { store.dispatch(1) } } }
        }
        #expect(await eventually { store.state == 8_000 })
        await store.drain()
        let report = await store.shutdown(deadline: .seconds(60))
        #expect(report.isComplete)
    }
}

/// A value that is used on one thread.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// Feedbacks that add one to a number until it is three.
private enum Forms {
    static let effects: [(String, Feedback<Int, Int>)] = [
        ("effects", Feedback(effects: { $0 < 3 ? Just(1).eraseToAnyPublisher() : Empty().eraseToAnyPublisher() })),
        ("skippingRepeated", Feedback(skippingRepeated: { $0 < 3 ? $0 : nil }, effects: { _ in Just(1) })),
        ("lensing", Feedback(lensing: { $0 < 3 ? $0 : nil }, effects: { _ in Just(1) })),
        ("predicate", Feedback(predicate: { $0 < 3 }, effects: { _ in Just(1) })),
        (
            "whenBecomesTrue",
            .combine((0..<3).map { number in Feedback(whenBecomesTrue: { $0 == number }, effects: { _ in Just(1) }) })
        ),
        (
            "firstValueAfterNil",
            .combine(
                (0..<3).map { number in
                    Feedback(firstValueAfterNil: { $0 == number ? 1 : nil }, effects: { Just($0) })
                }
            )
        ),
        ("compacting", Feedback(compacting: { $0 < 3 ? $0 : nil }, effects: { _ in Just(1) })),
    ]

    static let streams: [(String, Feedback<Int, Int>)] = [
        ("events", Feedback(events: { $0.filter { $0 < 3 }.map { _ in 1 } })),
        ("deriving", Feedback(deriving: { $0.filter { $0 < 3 } }, effects: { _ in Just(1) })),
        ("deriving, effects of the store", Feedback(deriving: { $0.filter { $0 < 3 } }, effects: { _ in .just(1) })),
        ("compacting states", .compacting(state: { $0.filter { $0 < 3 } }, effects: { _ in Just(1) })),
        (
            "compacting events",
            .combine(
                Feedback(whenBecomesTrue: { $0 == 0 }, effects: { _ in Just(1) }),
                .compacting(events: { $0.prefix(2) }, effects: { Just($0) })
            )
        ),
    ]
}
