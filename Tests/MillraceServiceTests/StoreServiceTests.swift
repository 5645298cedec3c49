// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import Millrace
@testable import MillraceService

@Suite("A store as a service", .serialized, .timeLimit(.minutes(5)))
struct StoreServiceTests {
    /// Beside the deadline: the second that a shutdown may take longer, and a busy machine.
    private let slack = Duration.seconds(60)
    private let gate = DispatchSemaphore(value: 0)
    private let entered = Shared(0)
    private let reports = Recorder<ShutdownReport>()

    /// A middleware that waits for the gate at every action.
    private struct Waiting: MiddlewareProtocol {
        let gate: DispatchSemaphore
        let entered: Shared<Int>

        func handle(action: Int, from: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            entered.update { $0 += 1 }
            gate.wait()
            return .pure()
        }
    }

    /// A service that does something until it is told to stop.
    private struct Body: Service {
        let body: @Sendable () async throws -> Void

        init(_ body: @escaping @Sendable () async throws -> Void) { self.body = body }

        func run() async throws { try await body() }
    }

    private struct Broken: Error {}

    private func makeStore(capacity: StoreCapacity = .unbounded) -> ReduxStoreBase<Int, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: .reduce { $1 += $0 },
            middleware: Waiting(gate: gate, entered: entered).named("waiting"),
            publication: .onDemand,
            capacity: capacity
        )
    }

    /// Returns when the store, which must be full, is closed.
    private func closing(of store: ReduxStoreBase<Int, Int>) async {
        await #expect(throws: SendError.closed) { try await store.send(1) }
    }

    private func makeGroup(_ services: any Service...) -> ServiceGroup {
        ServiceGroup(services: services, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Starts the group; its error is the task's value.
    private func start(_ group: ServiceGroup) -> Task<(any Error)?, Never> {
        Task {
            do {
                try await group.run()
                return nil
            } catch {
                return error
            }
        }
    }

    /// What a service of the same parameters hands its reports to.
    private func service(
        _ store: ReduxStoreBase<Int, Int>,
        shutdown: Duration = .seconds(200),
        cancellation: Duration? = nil
    ) -> StoreService<Int, Int> {
        let reports = reports
        return StoreService(store, shutdownDeadline: shutdown, cancellationDeadline: cancellation) { report in
            reports.record(report)
        }
    }

    @Test("a graceful shutdown reduces everything pending and hands over the report")
    func graceful() async {
        let store = makeStore(capacity: .bounded(100))
        let group = makeGroup(service(store))
        let running = start(group)
        store.dispatch(contentsOf: Array(repeating: 1, count: 100))
        #expect(await eventually { entered.value == 1 })
        #expect(reports.count == 0)
        await group.triggerGracefulShutdown()
        await closing(of: store)
        #expect(store.metrics.pending == 100)
        for _ in 0..<100 { gate.signal() }
        let error = await running.value
        #expect(error == nil)
        #expect(store.state == 100)
        #expect(reports.count == 1)
        #expect(reports.all.first?.isComplete == true)
        #expect(reports.all.first?.reduced == 100)
        #expect(reports.all.first?.dropped == 0)
    }

    @Test("a service listed after the store ends first, and what it dispatches at its end is reduced")
    func order() async {
        let store = makeStore()
        for _ in 0..<2 { gate.signal() }
        let group = makeGroup(
            service(store),
            Body {
                try await store.send(1)
                try? await gracefulShutdown()
                try await store.send(1)
            }
        )
        let running = start(group)
        #expect(await eventually { entered.value == 1 })
        await group.triggerGracefulShutdown()
        let error = await running.value
        #expect(error == nil)
        #expect(store.state == 2)
    }

    @Test("producers that wait for room are freed")
    func producers() async {
        let store = makeStore(capacity: .bounded(2))
        let group = makeGroup(service(store))
        let running = start(group)
        store.dispatch(1)
        store.dispatch(1)
        let senders = (0..<3).map { _ in Task { try await store.send(1) } }
        #expect(await eventually { store.core.admission?.waiters.count == 3 })
        await group.triggerGracefulShutdown()
        // The pipeline is still held: nobody made room, so it is the shutdown that frees them.
        for sender in senders {
            await #expect(throws: SendError.closed) { try await sender.value }
        }
        #expect(reports.count == 0)
        for _ in 0..<2 { gate.signal() }
        let error = await running.value
        #expect(error == nil)
        #expect(store.metrics.reduced == 2 && store.metrics.rejected == 3)
    }

    @Test("a handler that is stuck at the deadline: the group throws its name")
    func stuckAtShutdown() async throws {
        let store = makeStore()
        let group = makeGroup(service(store, shutdown: .milliseconds(50)))
        let running = start(group)
        store.dispatch(contentsOf: [1, 1, 1])
        #expect(await eventually { entered.value == 1 })
        let began = ContinuousClock.now
        await group.triggerGracefulShutdown()
        let error = try #require(await running.value as? StoreShutdownError)
        #expect(ContinuousClock.now - began < .milliseconds(50) + slack)
        #expect(error.report.stuckHandler?.middleware == "waiting")
        #expect("\(error)".contains("middleware \"waiting\", handling action 'Int' (number "))
        #expect(reports.all == [error.report])
        gate.signal()
        let end = await store.shutdown()
        #expect(end.isComplete && end.dropped == 2)
    }

    @Test("cancellation returns within its deadline though a handler is stuck, and the error names it")
    func stuckAtCancellation() async throws {
        let store = makeStore()
        let group = makeGroup(service(store, shutdown: .seconds(200), cancellation: .milliseconds(50)))
        let running = start(group)
        store.dispatch(contentsOf: [1, 1, 1])
        #expect(await eventually { entered.value == 1 })
        let began = ContinuousClock.now
        running.cancel()
        let error = try #require(await running.value as? StoreShutdownError)
        #expect(ContinuousClock.now - began < .milliseconds(50) + slack)
        #expect(!error.report.isComplete && error.report.pending == 3)
        #expect(error.report.stuckHandler?.middleware == "waiting")
        #expect(store.offer(1) == .closed)
        gate.signal()
        #expect(await store.shutdown().isComplete)
    }

    @Test("cancellation, too, finishes what is pending, when there is time")
    func cancellationDrains() async {
        let store = makeStore(capacity: .bounded(3))
        let running = start(makeGroup(service(store)))
        store.dispatch(contentsOf: [1, 1, 1])
        #expect(await eventually { entered.value == 1 })
        running.cancel()
        await closing(of: store)
        for _ in 0..<3 { gate.signal() }
        let error = await running.value
        #expect(error == nil, "it ended in good order")
        #expect(store.state == 3)
        #expect(reports.all.first?.isComplete == true)
    }

    @Test("cancelled before it runs, it ends the store all the same")
    func cancelledBefore() async {
        let store = makeStore()
        let service = service(store)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await service.run()
        }
        await #expect(throws: Never.self) { try await task.value }
        #expect(store.offer(1) == .closed)
        #expect(reports.count == 1)
    }

    @Test("a cancellation while it drains hastens the end")
    func cancelledWhileDraining() async throws {
        let store = makeStore(capacity: .bounded(3))
        let group = makeGroup(service(store, shutdown: .seconds(200), cancellation: .milliseconds(50)))
        let running = start(group)
        store.dispatch(contentsOf: [1, 1, 1])
        #expect(await eventually { entered.value == 1 })
        await group.triggerGracefulShutdown()
        await closing(of: store)
        let began = ContinuousClock.now
        running.cancel()
        let error = try #require(await running.value as? StoreShutdownError)
        #expect(ContinuousClock.now - began < .milliseconds(50) + slack)
        #expect(error.report.stuckHandler?.middleware == "waiting")
        #expect(reports.count == 1)
        gate.signal()
        #expect(await store.shutdown().isComplete)
    }

    @Test("a cancellation deadline later than the shutdown's does not prolong it")
    func cancellationDoesNotProlong() async throws {
        let store = makeStore(capacity: .bounded(1))
        let group = makeGroup(service(store, shutdown: .milliseconds(300), cancellation: .seconds(200)))
        let running = start(group)
        store.dispatch(1)
        #expect(await eventually { entered.value == 1 })
        let began = ContinuousClock.now
        await group.triggerGracefulShutdown()
        await closing(of: store)
        running.cancel()
        #expect(await running.value is StoreShutdownError)
        #expect(ContinuousClock.now - began < .milliseconds(300) + slack)
        gate.signal()
        #expect(await store.shutdown().isComplete)
    }

    @Test("actions dropped at the deadline are an error even when the pipeline has ended")
    func dropped() async throws {
        // Slow, not stuck: twenty seconds of work.
        let store = ReduxStoreBase<Int, Int>(initialState: 0, reducer: .reduce { _, _ in usleep(2_000) })
        let group = makeGroup(service(store, shutdown: .milliseconds(50)))
        let running = start(group)
        store.dispatch(contentsOf: Array(repeating: 1, count: 10_000))
        await group.triggerGracefulShutdown()
        let error = try #require(await running.value as? StoreShutdownError)
        #expect(error.report.pending == 0 && error.report.dropped > 0, "\(error.report)")
        // A test that runs at the same time may stay inside `withState`, which delays the end of every store.
        if error.report.readers.isEmpty {
            #expect(error.report.isComplete)
            #expect("\(error)".contains("longer deadline"))
        }
    }

    @Test("the error says what to correct: a stuck handler, a thread inside withState, an idle queue, a deadline")
    func advice() {
        func text(
            isComplete: Bool,
            stuck: StuckHandler? = nil,
            readers: [ReadingThread] = [],
            dropped: UInt64 = 1,
            droppedHeld: Int = 0
        ) -> String {
            let report = ShutdownReport(
                isComplete: isComplete,
                reduced: 0,
                dropped: dropped,
                rejected: 0,
                pending: 0,
                droppedHeld: droppedHeld,
                held: 0,
                stuckHandler: stuck,
                readers: readers,
                elapsed: .seconds(1),
                metrics: StoreMetrics()
            )
            return "\(StoreShutdownError(report: report))"
        }
        let stuck = StuckHandler(
            stage: .handling,
            middleware: "disk",
            actionKind: "save",
            actionNumber: 7,
            source: .here()
        )
        let reader = ReadingThread(number: 4711, name: "worker")
        #expect(text(isComplete: false, stuck: stuck).hasSuffix(". Make the handler that is named as stuck return."))
        #expect(
            text(isComplete: false, readers: [reader]).hasSuffix(
                "; waits for threads inside withState: worker (4711). Let the named threads leave withState."
            )
        )
        #expect(text(isComplete: false).hasSuffix(". Run the queue of the store's engine until the store has ended."))
        #expect(
            text(isComplete: true).hasSuffix(
                "dropped 1, rejected 0, pending 0. Give the service a longer deadline, or the store a smaller capacity."
            )
        )
        #expect(
            text(isComplete: true, dropped: 0, droppedHeld: 3).hasSuffix(
                """
                pending 0, IOs and effects that did not run: 3. Give the service a longer deadline: the disk did not \
                have the last actions in time.
                """
            )
        )
    }

    @Test("when another service fails, the store is drained, and the closure gets the report")
    func otherFails() async {
        let store = makeStore(capacity: .bounded(2))
        let fail = Shared(false)
        let group = makeGroup(
            service(store),
            Body {
                while !fail.value { try await Task.sleep(for: .milliseconds(1)) }
                throw Broken()
            }
        )
        let running = start(group)
        store.dispatch(contentsOf: [1, 1])
        #expect(await eventually { entered.value == 1 })
        fail.value = true
        await closing(of: store)
        for _ in 0..<2 { gate.signal() }
        #expect(await running.value is Broken)
        #expect(store.state == 2)
        #expect(reports.count == 1)
    }

    @Test("closed by somebody else, the store does not end the group")
    func closedElsewhere() async {
        let store = makeStore()
        let other = Shared(0)
        let group = makeGroup(
            service(store),
            Body {
                try await gracefulShutdown()
                other.update { $0 += 1 }
            }
        )
        let running = start(group)
        _ = await store.shutdown()
        // Would end the group at once, if it did.
        #expect(await !eventually(within: .milliseconds(200)) { reports.count > 0 || other.value > 0 })
        await group.triggerGracefulShutdown()
        let error = await running.value
        #expect(error == nil)
        #expect(other.value == 1 && reports.count == 1)
    }

    @Test("a group names it by its types")
    func name() {
        #expect("\(service(makeStore()))" == "StoreService<Int, Int>")
    }
}
