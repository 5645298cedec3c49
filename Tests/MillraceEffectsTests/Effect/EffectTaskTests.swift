// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceEffects
import TestSupport
import Testing

@Suite("Effect: tasks and sequences", .timeLimit(.minutes(5)))
struct EffectTaskTests {
    struct Failure: Error {}

    /// Starts an effect, and returns what it dispatched once it has ended.
    private func outcome(_ effect: Effect<Void, String>) async -> [DispatchedAction<String>] {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let rig = Rig<String>(.concat(effect, .fireAndForget { end.finish() }))
        for await _ in ends {}
        #expect(rig.output.dispatched.all.allSatisfy { $0.dispatcher.file.hasSuffix("EffectTaskTests.swift") })
        return rig.output.dispatched.all
    }

    @Test("a task dispatches what it returns, or nothing, from the line that made it")
    func task() async {
        let line = UInt(#line) + 1
        let result = await outcome(.task { _ in await Self.value() })
        #expect(result.map(\.action) == ["value"])
        #expect(result.map(\.dispatcher.line) == [line])
        #expect(await outcome(.task { _ in nil }).isEmpty)
    }

    static func value() async -> String { "value" }

    static func failing() async throws -> String { throw Failure() }

    @Test("an error of a task becomes an action, or nothing")
    func throwing() async {
        let mapped = await outcome(
            .task { _ in
                try await Self.failing()
            } catchErrors: {
                "\(type(of: $0))"
            }
        )
        #expect(mapped.map(\.action) == ["Failure"])
        #expect(
            await outcome(
                .task { _ in
                    try await Self.failing()
                } catchErrors: { _ in
                    nil
                }
            ).isEmpty
        )
        let good = await outcome(
            .task { _ in
                try await Self.returning("good")
            } catchErrors: { _ in
                "bad"
            }
        )
        #expect(good.map(\.action) == ["good"])
    }

    static func returning(_ text: String) async throws -> String { text }

    @Test("a stream dispatches its elements in order; an error ends it, and may become an action")
    func stream() async {
        @Sendable func numbers(_ error: (any Error)?) -> AsyncThrowingStream<String, any Error> {
            AsyncThrowingStream { continuation in
                for n in 1...3 { continuation.yield("\(n)") }
                continuation.finish(throwing: error)
            }
        }
        #expect(await outcome(.stream { _ in numbers(nil) }).map(\.action) == ["1", "2", "3"])
        #expect(await outcome(.stream { _ in numbers(Failure()) }).map(\.action) == ["1", "2", "3"])
        let caught = await outcome(
            .stream { _ in
                numbers(Failure())
            } catchErrors: { _ in
                "error"
            }
        )
        #expect(caught.map(\.action) == ["1", "2", "3", "error"])
    }

    @Test("cancelling an effect cancels its task, and what that returns goes nowhere")
    func cancelled() async {
        let (began, begin) = AsyncStream<Void>.makeStream()
        let (ended, end) = AsyncStream<Bool>.makeStream()
        let rig = Rig<String>(
            .task(token: "t") { _ in
                begin.finish()
                await Door().wait()
                end.yield(Task.isCancelled)
                return "late"
            }
        )
        for await _ in began {}
        rig.middleware.cancelAll()
        for await wasCancelled in ended {
            #expect(wasCancelled)
            break
        }
        #expect(rig.middleware.runningEffects == 0)
        // The task goes on after the yield; nothing it does is heard, whenever it does it.
        #expect(rig.output.actions.isEmpty)
    }

    @Test("cancelled before its task began, the work does not begin")
    func cancelledEarly() async {
        // Cancelled by an earlier part of the same start, before there is anything to run.
        let log = Recorder<String>()
        let rig = Rig<String>(
            .merge(
                .just("first"),
                Effect<Void, String> { context, sink in
                    context.toCancel("whole").start(sink)
                },
                .task { _ in
                    log.record("began")
                    return "late"
                }
            ).withToken("whole")
        )
        await Task {}.value
        #expect(log.all.isEmpty)
        #expect(rig.output.actions == ["first"])
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("cancelled when its task was made, and has yet to run, the work does not begin")
    func cancelledBeforeTaskRan() async {
        let count = 5_000
        let begun = Shared(0)
        let alive = Shared(0)
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, _ in
            let witness = Alive(alive)
            return .task { _ in
                begun.update { $0 += 1 }
                return withExtendedLifetime(witness) { nil }
            }
        }
        let output = Output<Int>()
        for action in 0..<count {
            middleware.run(action, output)
            middleware.cancelAll()
        }
        // Polled: a task that has just ended may not have told the figures.
        #expect(await eventually { middleware.figures.completed + middleware.figures.cancelled == count })
        // Every task has run, and has let go of what it held.
        #expect(await eventually { alive.value == 0 })
        // Some may have been faster than the cancel; by far not all.
        #expect(begun.value < count)
    }

    @Test("an effect that works synchronously needs no task: it is over, on this thread, when it was started")
    func synchronous() {
        let log = Recorder<String>()
        onThreads(1) { _ in
            let thread = pthread_self()
            @Sendable func note(_ name: String) {
                let isTask = withUnsafeCurrentTask { $0 != nil }
                log.record("\(name)\(pthread_self() == thread && !isTask ? "" : " elsewhere")")
            }
            let effects: [Effect<Void, String>] = [
                .just { _ in
                    note("just")
                    return "a"
                },
                .fireAndForget { note("fireAndForget") },
                .merge(.fireAndForget { note("merged") }, .sequence("b", "c")),
                .concat(
                    .fireAndForget { note("first") },
                    Effect { _, sink in
                        note("callback")
                        sink.complete()
                    },
                    .fireAndForget { note("last") }
                ),
                Effect.fireAndForget { note("serial") }.withToken("t", policy: .serial),
            ]
            let output = Output<String>()
            let middleware = EffectMiddleware<Int, String, Int, Void>.onAction { action, _, _ in effects[action] }
            for index in effects.indices {
                middleware.run(index, output)
                log.record("\(middleware.figures.completed)")
            }
            log.record(output.actions.joined())
        }
        #expect(
            log.all.filter { Int($0) == nil } == [
                "just", "fireAndForget", "merged", "first", "callback", "last", "serial", "abc",
            ]
        )
        #expect(log.all.filter { Int($0) != nil } == ["1", "2", "3", "4", "5"])
    }
}
