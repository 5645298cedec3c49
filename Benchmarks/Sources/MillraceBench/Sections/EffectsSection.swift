// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Dispatch
import Glibc
import MillraceEffects
import Synchronization

// The benchmarks have a type of their own named `Effect`.
typealias NumberEffect = MillraceEffects.Effect<Void, Int>

/// What an effect costs: each kind without a store, started as a store starts them; and two in a store.
struct EffectsSection: Section {
    let id = "effects"

    func measure(_ pairing: Pairing) async throws -> [Table] {
        try ReplacedMiddleware.check()
        let noMallocs = [Target(figure: .mallocs, atMost: 0)]
        let costs = try await pairing.table(
            "An action and its effect, without a store",
            subject: EffectLoop.contender("no effect", sends: false) { _, _ in .doNothing },
            targets: noMallocs,
            rivals: [
                Opponent(supervised(), targets: noMallocs),
                Opponent(EffectLoop.contender("just", share: 0.2) { number, _ in .just(number) }),
                Opponent(
                    EffectLoop.contender("just, observed", share: 0.2, options: EffectOptions(observer: Counting())) {
                        number,
                        _ in .just(number)
                    }
                ),
                Opponent(
                    EffectLoop.contender("just, with a token", share: 0.2) { number, _ in
                        NumberEffect.just(number).withToken(number & 7)
                    }
                ),
                Opponent(
                    EffectLoop.contender("ended by a callback", share: 0.1) { number, ends in
                        NumberEffect { _, sink in ends.end(sink, number) }
                    }
                ),
                Opponent(
                    EffectLoop.contender("ended by a callback, with a token", share: 0.1) { number, ends in
                        NumberEffect(token: number & 7) { _, sink in ends.end(sink, number) }
                    }
                ),
                Opponent(
                    EffectLoop.contender("ended by a callback, serial", share: 0.1) { number, ends in
                        NumberEffect(token: 0, policy: .serial) { _, sink in ends.end(sink, number) }
                    },
                    note: "each waits for the one before"
                ),
                Opponent(
                    EffectLoop.contender("replaced by the next", share: 0.1, sends: false) { number, _ in
                        NumberEffect(token: 0) { _, _ in }
                    }
                ),
                Opponent(
                    EffectLoop.contender("task", share: 0.05) { number, _ in .task { _ in number } },
                    note: "on the concurrency pool"
                ),
                Opponent(bareTask(), note: "a Task.detached that sends the same, without an effect"),
            ]
        )
        return [costs, try await answered(pairing)]
    }

    /// The same in a store that reduces the action, and then the one that its effect sends.
    private func answered(_ pairing: Pairing) async throws -> Table {
        let crew = try Crew(1)
        return try await pairing.table(
            "An action, its effect, and the action that the effect sends, in a .caller store",
            subject: StoreLoop.contender(
                "an action without an effect, and no middleware but one of effects",
                store: AnsweredStore.make(AnsweredStore.nothing),
                crew: crew
            ),
            targets: [Target(figure: .mallocs, atMost: 0)],
            rivals: [
                Opponent(
                    AnsweredStore.contender("just", crew: crew, AnsweredStore.just),
                    targets: [Target(figure: .mallocs, atMost: 1)]
                ),
                Opponent(
                    AnsweredStore.contender("just, with a token", crew: crew, AnsweredStore.justWithToken),
                    targets: [Target(figure: .mallocs, atMost: 1)]
                ),
            ]
        )
    }

    /// Returns a contender with supervised effects whose state does not change. The middleware only compares, and ends
    /// no effect.
    private func supervised() -> Contender {
        Contender("supervised, nothing changed") { operations in
            let state = Array(0..<100)
            let middleware = SimpleEffectMiddleware<Int, [Int]>.supervise { numbers in
                numbers.map { SupervisedEffect($0, NumberEffect { _, _ in }) }
            }.bound(to: { state })
            let output = AnyActionHandler<Int> { _ in }
            let start = DispatchTime.now().uptimeNanoseconds
            for number in 0..<operations { EffectLoop.act(middleware, number, { state }, output) }
            let time = DispatchTime.now().uptimeNanoseconds - start
            guard middleware.runningEffects == 100 else {
                throw BenchmarkError.wrongResult(
                    contender: "supervised",
                    expected: "100",
                    found: "\(middleware.runningEffects)"
                )
            }
            return time
        }
    }

    /// Returns a contender with bare tasks, which shows the part of the cost of a task effect that is Swift's.
    private func bareTask() -> Contender {
        Contender("bare task", share: 0.05) { operations in
            let sent = SentCounter()
            let output = AnyActionHandler<Int> { _ in sent.add() }
            return try EffectLoop.timeOnThread {
                for number in 0..<operations {
                    let source = ActionSource(file: "bench", function: "bench", line: 0)
                    Task.detached { output.dispatch(DispatchedAction(number, dispatcher: source)) }
                    if number & 255 == 255 { while sent.count <= number - 256 { sched_yield() } }
                }
                while sent.count < operations { sched_yield() }
            }
        }
    }
}

/// Handles actions and starts their effects, as a store does.
@MainActor
enum EffectLoop {
    static func contender(
        _ name: String,
        share: Double = 1,
        options: EffectOptions = EffectOptions(),
        sends: Bool = true,
        _ effect: @escaping @Sendable (Int, Ends) -> NumberEffect
    ) -> Contender {
        Contender(name, share: share) { operations in
            let ends = Ends()
            let sent = SentCounter()
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction(options: options) { number, _, _ in
                effect(number, ends)
            }.bound(to: { 0 })
            let output = AnyActionHandler<Int> { _ in sent.add() }
            let time = try timeOnThread {
                for number in 0..<operations {
                    act(middleware, number, { 0 }, output)
                    ends.endLast()
                    // Waits now and then, so that not too many tasks exist at once.
                    if number & 255 == 255 { while sends && sent.count <= number - 256 { sched_yield() } }
                }
                // Effects that do not send keep running. They are cancelled with the middleware.
                while sends && middleware.runningEffects > 0 { sched_yield() }
            }
            let expected = sends ? operations : 0
            guard sent.count == expected else {
                throw BenchmarkError.wrongResult(contender: name, expected: "\(expected)", found: "\(sent.count)")
            }
            return time
        }
    }

    /// Runs a closure on a thread of its own, like the pipeline of a store, and returns the nanoseconds. Inside a task,
    /// each effect would start in a task of its own.
    static func timeOnThread(_ body: @escaping @Sendable () -> Void) throws -> UInt64 {
        let crew = try Crew(1)
        return crew.run { _ in body() }.wall_nanoseconds
    }

    @inline(__always)
    nonisolated static func act<Middleware: MiddlewareProtocol>(
        _ middleware: Middleware,
        _ action: Middleware.InputActionType,
        _ state: @escaping GetState<Middleware.StateType>,
        _ output: AnyActionHandler<Middleware.OutputActionType>
    ) {
        let source = ActionSource(file: "bench", function: "bench", line: 0)
        _ = middleware.handle(action: action, from: source, state: state)
        middleware.afterReduce(action: action, from: source, state: state, output: output)
    }
}

/// Ends effects from outside, after `handle` and `afterReduce` have returned.
final class Ends: @unchecked Sendable {
    // Unchecked because only the measuring thread uses it.
    private var sink: EffectSink<DispatchedAction<Int>>?
    private var number = 0

    func end(_ sink: EffectSink<DispatchedAction<Int>>, _ number: Int) {
        self.sink = sink
        self.number = number
    }

    func endLast() {
        guard let sink else { return }
        self.sink = nil
        sink.send(DispatchedAction(number, dispatcher: ActionSource(file: "bench", function: "bench", line: 0)))
        sink.complete()
    }
}

/// Counts the actions that were sent, on any thread.
final class SentCounter: Sendable {
    private let tally = Atomic<Int>(0)

    // Relaxed: the number orders no other memory.
    var count: Int { tally.load(ordering: .relaxed) }

    func add() { tally.add(1, ordering: .relaxed) }
}

/// An observer that reads the names, like an observer that logs them.
private final class Counting: EffectObserver {
    private let letters = SentCounter()

    func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) {
        if !name().isEmpty { letters.add() }
    }

    func effectEnded(_ run: UInt64, wasCancelled: Bool) {
        letters.add()
    }
}
