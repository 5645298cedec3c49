// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceEffects
import MillraceTesting
import Testing

@Suite("What a simulated world refuses")
struct FailureTests {
    private func failure(_ body: () throws -> Void) -> SimulationFailure.Reason? {
        do {
            try body()
            return nil
        } catch let failure as SimulationFailure {
            return failure.reason
        } catch {
            return nil
        }
    }

    private func store(_ world: SimulatedWorld, _ effect: @escaping @Sendable () async -> Void) -> ReduxStoreBase<
        Move, Int
    > {
        let middleware = SimpleEffectMiddleware<Move, Int>.onAction { _, _, _ in
            .task { _ in
                await effect()
                return nil
            }
        }
        return ReduxStoreBase(
            initialState: 0,
            reducer: counting,
            middleware: middleware,
            engine: .simulated(in: world)
        )
    }

    @Test("a task that sleeps on the system's clock is named")
    func sleep() throws {
        // The world waits a tenth of a second for sleeps from outside. On a busy machine the sleep may end later.
        for _ in 0..<50 {
            let world = SimulatedWorld(seed: 0)
            world.task("sleeper") { try await Task.sleep(for: .milliseconds(1)) }
            guard case .outside(let what) = failure({ try world.run() }) else { continue }
            #expect(what.hasPrefix("a task of the world was resumed by a thread that is not of the world: it slept"))
            return
        }
        Issue.record("the sleep was not seen")
    }

    @Test("an effect that starts a task of its own is named")
    func task() throws {
        let world = SimulatedWorld(seed: 1)
        let store = store(world) { Task {} }
        store.dispatch(.up)
        guard case .outside(let what) = failure({ try world.run() }) else {
            Issue.record("the task was not seen")
            return
        }
        #expect(what.hasPrefix("code of the world starts a task outside of it"))
        #expect(what.contains(" in MillraceTestingTests.FailureTests.task() throws -> ()"))
    }

    @Test("an effect that hops to the main actor is named")
    func mainActor() throws {
        // The hop shows itself when the main actor runs it. It may be busy with other tests.
        for _ in 0..<200 {
            let world = SimulatedWorld(seed: 0)
            let store = store(world) { await MainActor.run {} }
            store.dispatch(.up)
            guard case .outside(let what) = failure({ try world.run() }) else { continue }
            #expect(
                what.contains("was on the main actor") || what.hasPrefix("code of the world hops to the main actor")
            )
            return
        }
        Issue.record("the hop was not seen")
    }

    @Test("a thread of the system that dispatches during a run is named")
    func thread() throws {
        let world = SimulatedWorld(seed: 1)
        let store = ReduxStoreBase(initialState: 0, reducer: counting, engine: .simulated(in: world))
        world.thread("starter") {
            let done = DispatchSemaphore(value: 0)
            let thread = Thread {
                done.signal()
                store.dispatch(.up)
            }
            thread.start()
            done.wait()
            for _ in 0..<200 {
                Thread.sleep(forTimeInterval: 0.001)
                world.pause()
            }
        }
        guard case .outside(let what) = failure({ try world.run() }) else {
            Issue.record("the thread was not seen")
            return
        }
        #expect(what.hasPrefix("a thread that is not of the world uses store 1"))
        #expect(what.contains(" in MillraceTestingTests.FailureTests.thread() throws -> ()"))
    }

    @Test("many threads of the system that dispatch during a run end, and stop nothing but the run")
    func threads() throws {
        for seed in 0..<10 as Range<UInt64> {
            let world = SimulatedWorld(seed: seed)
            let store = ReduxStoreBase(initialState: 0, reducer: counting, engine: .simulated(in: world))
            let ended = DispatchGroup()
            world.thread("starter") {
                for _ in 0..<8 {
                    ended.enter()
                    Thread {
                        store.dispatch(.up)
                        ended.leave()
                    }.start()
                }
                for _ in 0..<20 {
                    Thread.sleep(forTimeInterval: 0.001)
                    world.pause()
                }
            }
            _ = failure { try world.run() }
            #expect(ended.wait(timeout: .now() + 60) == .success)
        }
    }

    @Test("threads that wait for ever are listed")
    func stuck() throws {
        let world = SimulatedWorld(seed: 1)
        world.task("waits") { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } }
        #expect(failure { try world.run() } == .stuck(["task 'waits' has not ended"]))
    }

    @Test("a run without an end is stopped, and says so")
    func endless() throws {
        let world = SimulatedWorld(seed: 1)
        let clock = world.clock
        world.task("ticks") { while true { try await clock.sleep(for: .seconds(1)) } }
        #expect(failure { try world.run(steps: 1_000) } == .tooManySteps(1_000))
    }

    @Test("a broken rule is named, at its step")
    func invariant() throws {
        let world = SimulatedWorld(seed: 1)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting,
            engine: .simulated(in: world),
            publication: .everyAction
        )
        world.invariant("never three") { store.withState { $0 < 3 } }
        world.thread("a") { for _ in 0..<5 { store.dispatch(.up) } }
        #expect(failure { try world.run() } == .invariant("never three"))
    }
}
