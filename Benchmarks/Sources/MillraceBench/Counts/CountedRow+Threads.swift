// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Millrace
import MillraceEffects
import MillraceJournal
import MillraceRecords
import MillraceRuntime
import Synchronization

extension CountedRow {
    /// Rows in which other threads than the counting one do a part of the work. They count the work of all threads.
    static var threads: [CountedRow] {
        [
            CountedRow("latency: a dispatch with its intended time") {
                let store = plain()
                return Run { operations in
                    for index in 0..<operations {
                        store.dispatch(DispatchedAction(AppAction.nth(index)), intendedAt: .now)
                    }
                }
            },
            // The sleeping thread also wakes once by itself, to give memory back, sometimes before the next dispatch.
            CountedRow("wake: an action to a thread that sleeps", tolerance: 0.2, moreSystemCalls: 2, divisor: 256) {
                waking(.thread(wait: .park))
            },
            // libdispatch decides whether a thread of its pool sleeps or has ended.
            CountedRow("wake: an action to a queue at rest", tolerance: 0.2, moreSystemCalls: 2, divisor: 256) {
                waking(.queue(DispatchQueue(label: "waking")))
            },
            // Its memory is freed by a thread of liburcu, for several stores at a time.
            CountedRow("footprint: a store, made and released", tolerance: 0.1, divisor: 32) {
                Run { operations in
                    for index in 0..<operations {
                        let store = plain()
                        store.dispatch(.nth(index))
                    }
                }
            },
            // The system calls are those of the main run loop, one turn after the other.
            CountedRow(
                "subject: a dispatch to a store on the main queue, in bursts",
                tolerance: 0.1,
                moreSystemCalls: 0.3,
                needsMainQueue: true
            ) { onSubject() },
            registry(underWay: 10),
            registry(underWay: 1_000, flatTo: registryName(10)),
            CountedRow("simulation: a step of a schedule", tolerance: 0.05, divisor: 8) {
                Run { operations in
                    guard let steps = try? SimulationSection.steps(atLeast: operations) else {
                        fatalError("a schedule failed")
                    }
                    keep(steps)
                }
            },
            // The journal's thread decides how many actions a frame has.
            CountedRow("journal: an action, .process", tolerance: 0.1) { try journaled() },
        ]
    }

    /// A store as SwiftRex makes it, until all actions are reduced. The pipeline is stopped while they are dispatched, so
    /// that its turns are always the same.
    private static func onSubject() -> Run {
        let (isHeld, isOpen, isReduced) = (gate(), gate(), gate())
        let store = ReduxStoreBase(
            subject: UnfailableReplayLastSubjectType.native(initialValue: AppState()),
            reducer: AppState.reducer
                <> Reducer.reduce { action, _ in
                    switch action {
                    case .tick(.min):
                        isHeld.signal()
                        isOpen.wait()
                    case .tick(.max): isReduced.signal()
                    default: break
                    }
                },
            middleware: FirstMiddleware() <> SecondMiddleware() <> ThirdMiddleware()
        )
        return Run(
            before: {
                store.dispatch(.tick(.min))
                isHeld.wait()
            },
            body: { operations in
                for index in 0..<operations { store.dispatch(.nth(index)) }
                store.dispatch(.tick(.max))
                isOpen.signal()
                isReduced.wait()
            }
        )
    }

    private static func gate() -> DispatchSemaphore { DispatchSemaphore(value: 0) }

    private static func waking(_ engine: StoreEngine) -> Run {
        let isReduced = DispatchSemaphore(value: 0)
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, _ in isReduced.signal() },
            engine: engine,
            publication: .onDemand
        )
        return Run { operations in
            for _ in 0..<operations {
                // Long enough for the thread to sleep, also on a busy machine.
                usleep(20_000)
                store.dispatch(1)
                isReduced.wait()
            }
        }
    }

    /// An effect that a callback ends, while so many others are under way, each with its own token.
    private static func registry(underWay count: Int, flatTo few: String? = nil) -> CountedRow {
        CountedRow(registryName(count), tolerance: 0.05, flatTo: few) {
            let (ends, held) = (Ends(), (0..<count).map { _ in Ends() })
            let middleware = SimpleEffectMiddleware<Int, Int>.onAction { number, _, _ in
                NumberEffect(token: number) { _, sink in (number == 0 ? ends : held[number - 1]).end(sink, number) }
            }.bound(to: { 0 })
            let output = AnyActionHandler<Int> { _ in }
            for number in 1...count { EffectLoop.act(middleware, number, { 0 }, output) }
            guard middleware.figures.running == count else {
                throw BenchmarkError.wrongResult(
                    contender: registryName(count),
                    expected: "\(count)",
                    found: "\(middleware.figures.running)"
                )
            }
            return Run { operations in
                for _ in 0..<operations {
                    EffectLoop.act(middleware, 0, { 0 }, output)
                    ends.endLast()
                }
            }
        }
    }

    private static func registryName(_ count: Int) -> String {
        "registry: an effect, while \(count == 10 ? "10" : "1,000") others are under way"
    }

    /// Dispatches batches, and waits until the journal's thread has written all of them.
    private static func journaled() throws -> Run {
        let disk = try BenchDisk()
        let journal = try Journal<JournaledOrder>(
            directory: disk.name("counts"),
            codec: .bitwise(version: 1),
            durability: .process,
            capacity: 65_536
        )
        let store = try waiting {
            try await ReduxStoreBase(
                recovering: journal,
                initialState: OrderCount(),
                reducer: Reducer<JournaledOrder, OrderCount>.reduce { order, state in state.count &+= order.words.1 },
                engine: .caller,
                publication: .onDemand
            )
        }
        let batch = [JournaledOrder](repeating: JournaledOrder(), count: 256)
        return Run(
            body: { operations in
                for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
                do {
                    try waiting { try await store.journaled() }
                } catch {
                    fatalError("the journal failed: \(error)")
                }
            },
            after: { withExtendedLifetime(disk) {} }
        )
    }

    /// Runs an asynchronous function and waits for it. Not for use inside a task.
    private static func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let result = Mutex<Result<Value, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task.detached {
            let found: Result<Value, any Error>
            do { found = .success(try await body()) } catch { found = .failure(error) }
            result.withLock { $0 = found }
            isDone.signal()
        }
        isDone.wait()
        guard let found = result.withLock({ $0 }) else { fatalError("a task ended without a result") }
        return try found.get()
    }
}
