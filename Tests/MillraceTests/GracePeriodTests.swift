// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import Millrace

/// A thread that stays inside `withState` holds up the end of stores, and nobody else.
@Suite("Ends while a thread reads", .serialized, .timeLimit(.minutes(5)))
struct GracePeriodTests {
    /// A thread that is inside `withState` of a store of its own until `leave()`.
    private final class Reader: Sendable {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        private let door = DispatchSemaphore(value: 0)
        private let isInside = Shared(false)

        init() async {
            let (store, door, isInside) = (store, door, isInside)
            StoreThread.start(name: "long-reader") {
                store.withState { _ in
                    isInside.value = true
                    door.wait()
                }
            }
            _ = await eventually { isInside.value }
        }

        func leave() { door.signal() }
    }

    @Test(
        "a shutdown tells in time which thread it waits for, and the end comes when that has left",
        arguments: engines
    )
    func shutdown(engine: StoreEngine) async throws {
        let reader = await Reader()
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: engine)
        store.dispatch(1)
        await store.drain()
        let report = await store.shutdown(deadline: .milliseconds(100))
        #expect(!report.isComplete)
        #expect(report.metrics.reduced == 1)
        #expect(report.readers.map(\.name).contains("long-reader"))
        #expect(report.stuckHandler == nil)
        #expect("\(report)".contains("long-reader ("))
        reader.leave()
        let last = await store.shutdown()
        #expect(last.isComplete)
        #expect(last.readers.isEmpty)
        #expect(store.metrics.pending == 0)
    }

    @Test("a reader that leaves while the shutdown is reporting is named, or the end is complete")
    func shortReader() async {
        for milliseconds: UInt32 in [250, 600, 950] {
            let isInside = Shared(false)
            let reading = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
            StoreThread.start(name: "short-reader") {
                reading.withState { _ in
                    isInside.value = true
                    usleep(milliseconds * 1_000)
                }
            }
            #expect(await eventually { isInside.value })
            let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self))
            let report = await store.shutdown(deadline: .milliseconds(100))
            let isNamed = report.readers.map(\.name).contains("short-reader")
            #expect(report.isComplete || isNamed, "\(report)")
            #expect(await store.shutdown().isComplete)
        }
    }

    @Test("releasing and closing a store waits for nobody, and loses nothing", arguments: engines)
    func release(engine: StoreEngine) async {
        let reader = await Reader()
        let reduced = Shared(0)
        let token = Shared<Token?>(nil)
        for isClosed in [false, true] {
            var store: ReduxStoreBase<Int, Int>? = ReduxStoreBase(
                initialState: 0,
                reducer: Reducer<Int, Int>.reduce { _, _ in reduced.update { $0 += 1 } },
                middleware: Handle<Int, Int> { [token = Token()] _, _, _ in
                    withExtendedLifetime(token) { .pure() }
                },
                engine: engine
            )
            for number in 0..<10 { store?.dispatch(number) }
            let start = DispatchTime.now().uptimeNanoseconds
            if isClosed { store?.close() }
            store = nil
            // The reader is still inside: this has not waited for it.
            let took = DispatchTime.now().uptimeNanoseconds - start
            #expect(took < 10_000_000_000)
        }
        #expect(await eventually { reduced.value == 20 })
        _ = token
        reader.leave()
    }

    private final class Token: Sendable {}

    /// Records the name of the thread that releases it.
    private final class Witness: Sendable {
        let threads: Recorder<String>

        init(_ threads: Recorder<String>) { self.threads = threads }

        deinit {
            threads.record((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "unknown")
        }
    }

    @Test("what the user keeps in a store is never released on the thread that waits for readers", arguments: engines)
    func releasesElsewhere(engine: StoreEngine) async {
        let reader = await Reader()
        let threads = Recorder<String>()
        let count = 100
        for number in 0..<count {
            var store: ReduxStoreBase<Int, Witness>? = ReduxStoreBase(
                initialState: Witness(threads),
                reducer: Reducer<Int, Witness>.reduce { _, _ in },
                middleware: Handle<Int, Witness> { [witness = Witness(threads)] _, _, _ in
                    withExtendedLifetime(witness) { .pure() }
                },
                engine: engine
            )
            store?.dispatch(1)
            if number % 2 == 0 { store?.close() }
            store = nil
        }
        // Then all of them end at the same time.
        reader.leave()
        #expect(await eventually { threads.count == 2 * count })
        #expect(!threads.all.contains("millrace-grace\n") && !threads.all.contains("unknown"))
    }

    @Test("an abandoned .main store still answers a read on demand by the main thread")
    @MainActor
    func abandonedMain() async {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: .main,
            publication: .onDemand
        )
        // Not here, where a dispatch is reduced before it returns.
        onThreads(1) { _ in for number in 0..<3 { store.dispatch(number) } }
        store.core.abandon()
        // Here, without a suspension: the pipeline can run only inside of the read.
        #expect(store.state == 0)
        #expect(await store.shutdown().isComplete)
        #expect(store.metrics.dropped == 3)
    }

    @Test("messages are taken between closing and the end: a drain is a barrier there, too", arguments: engines)
    func drains(engine: StoreEngine) async {
        let reader = await Reader()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            engine: engine,
            publication: .onDemand
        )
        for number in 0..<10 { store.dispatch(number) }
        store.close()
        await store.drain()
        #expect(store.metrics.reduced == 10)
        // Read on demand: the pipeline is asked, though the store is closed.
        let state = Shared(-1)
        onNewThread { state.value = store.state }
        #expect(await eventually { state.value == 10 })
        reader.leave()
        #expect(await store.shutdown().isComplete)
        #expect(store.state == 10)
    }

    @Test("inside withState of a .caller store one thread at a time takes all that is dispatched")
    func oneThread() async {
        let threads = Shared<Set<Int32>>([])
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in
                threads.update { _ = $0.insert(millrace_thread_number()) }
                count += 1
            },
            engine: .caller
        )
        store.withState { _ in
            for number in 0..<1_000 {
                store.dispatch(number)
                // One of this store. The last one may be about to end, and stores of other tests have theirs. To count
                // them takes long where there are many threads.
                if number % 20 == 0 { #expect(drainThreads() <= 8) }
            }
        }
        #expect(await eventually { store.metrics.reduced == 1_000 })
        await store.drain()
        #expect(store.state == 1_000)
    }

    /// Threads that drain for somebody else.
    private func drainThreads() -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.count { ReadingThread.name(of: Int32($0) ?? 0) == "millrace-drain" }
    }

    @Test("a thread that has read a state is no reader any more")
    func readers() {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        let inside = store.withState { _ in ReadingThread.inside.map(\.number) }
        #expect(inside.contains(millrace_thread_number()))
        #expect(!ReadingThread.inside.map(\.number).contains(millrace_thread_number()))
    }
}
