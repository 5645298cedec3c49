// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging
import Millrace
import MillraceLogging
import TestSupport
import Testing

@Suite("Logger: the way to the printers", .timeLimit(.minutes(5)))
struct HandOverTests {
    private let lines = Lines()
    private let log = ActionLog()

    @Test("what finds the ring full is skipped, counted exactly, and the log says so at the right place")
    func overflow() async {
        let queue = DispatchQueue(label: "stopped")
        queue.suspend()
        let handler = RecordingHandler()
        let store = makeStore(
            nothing.logger(
                actionTransform: .custom { action, _ in "\(action)" },
                actionPrinter: .swiftLog(handler.logger),
                queue: queue,
                capacity: 8,
                log: log
            )
        )
        for number in 0..<20 { store.dispatch(.item(.mark(number))) }
        await store.drain()
        #expect(log.metrics.skipped == 12 && log.metrics.written == 0)
        queue.resume()
        await log.flush()
        #expect(log.metrics.written == 8)
        store.dispatch(.clear)
        await store.drain()
        await log.flush()
        let expected =
            (0..<8).map { "item(MillraceLoggingTests.ItemAction.mark(\($0)))" }
            + ["skipped 12 actions, as the log was full", "clear"]
        #expect(handler.texts == expected)
        #expect(handler.events.all[8].level == .warning)
        #expect(handler.events.all[8].metadata == ["skipped": "12"])
        #expect(log.metrics.skipped == 12 && log.metrics.written == 9)
    }

    @Test(
        "a logger that takes errors alone is told of skipped actions, too",
        arguments: [Logger.Level.error, .critical]
    )
    func overflowOfErrors(level: Logger.Level) async {
        let queue = DispatchQueue(label: "stopped")
        queue.suspend()
        let handler = RecordingHandler(level: level)
        let store = makeStore(
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: .swiftLog(handler.logger),
                queue: queue,
                level: { _ in .critical },
                capacity: 2,
                log: log
            )
        )
        for _ in 0..<5 { store.dispatch(.clear) }
        await store.drain()
        queue.resume()
        await log.flush()
        #expect(handler.texts == ["clear", "clear", "skipped 3 actions, as the log was full"])
        #expect(handler.events.all.last?.level == level)
    }

    @Test("an action whose afterReduce never comes is counted as skipped")
    func keptBack() async {
        do {
            var logger = LoggerMiddleware<CartAction, Cart>.default(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                stateDiffTransform: .recursive(stateName: "Cart", spelling: .indexed),
                stateDiffPrinter: lines.printer,
                log: log
            )
            logger.bind(MiddlewareBinding(state: { Cart() }))
            for _ in 0..<3 { _ = logger.handle(action: .clear, from: .here(), state: { Cart() }) }
            #expect(log.metrics.skipped == 2, "the last may still come")
            await log.flush()
            #expect(lines.all.isEmpty, "the log was not full")
        }
        #expect(await eventually { log.metrics.skipped == 3 })
        #expect(log.metrics.written == 0)
    }

    @Test("skipped between two that are logged: told between them")
    func overflowBetween() async {
        let queue = DispatchQueue(label: "stopped")
        let gate = DispatchSemaphore(value: 0)
        let entered = Shared(0)
        let lines = lines
        let store = makeStore(
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: .custom { line in
                    lines.record(line)
                    entered.update { $0 += 1 }
                    if entered.value == 1 { gate.wait() }
                },
                queue: queue,
                capacity: 2,
                log: log
            )
        )
        // The first is being printed, and has room for none but one more, as room is given back only in the end.
        store.dispatch(.clear)
        #expect(await eventually { entered.value == 1 })
        for _ in 0..<4 { store.dispatch(.item(.drop)) }
        await store.drain()
        #expect(log.metrics.skipped == 3)
        gate.signal()
        await log.flush()
        #expect(lines.all == ["clear", "item.drop", "skipped 3 actions, as the log was full"])
    }

    @Test("skipped before one that found room again: told before it, not after")
    func overflowBefore() async {
        let queue = DispatchQueue(label: "stopped")
        let gate = DispatchSemaphore(value: 0)
        let lines = lines
        queue.suspend()
        let store = makeStore(
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: .custom { line in
                    lines.record(line)
                    // Room is given back by 32 entries.
                    if lines.all.count == 41 { gate.wait() }
                },
                queue: queue,
                capacity: 64,
                log: log
            )
        )
        for _ in 0..<69 { store.dispatch(.item(.drop)) }
        await store.drain()
        queue.resume()
        #expect(await eventually { lines.all.count == 41 })
        store.dispatch(.clear)
        await store.drain()
        #expect(log.metrics.skipped == 5)
        gate.signal()
        await log.flush()
        #expect(lines.all.suffix(3) == ["item.drop", "skipped 5 actions, as the log was full", "clear"])
    }

    @Test("many stores and threads at once: everything is written, skipped or waits, and the sums are exact")
    func manyStores() async {
        let written = Shared(0)
        let skipped = Shared(0)
        let logger = nothing.logger(
            actionTransform: .actionNameOnly,
            actionPrinter: .custom { line in
                if let count = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) {
                    skipped.update { $0 += count }
                } else {
                    written.update { $0 += 1 }
                }
            },
            stateDiffTransform: .custom { before, after in
                if before?.prices.count ?? -1 > after.prices.count { Issue.record("the states are not of one action") }
                return nil
            },
            capacity: 256,
            log: log
        )
        let stores = (0..<4).map { _ in makeStore(logger) }
        await elsewhere {
            onThreads(4) { thread in
                for number in 0..<2_000 { stores[(thread + number) % 4].dispatch(.item(.mark(number))) }
            }
        }
        for store in stores { await store.drain() }
        await log.flush()
        let metrics = log.metrics
        #expect(metrics.written + metrics.skipped == 8_000)
        #expect(written.value == Int(metrics.written))
        #expect(skipped.value == Int(metrics.skipped))
    }

    @Test("a store that is released: what waits is written, and the counts stay")
    func release() async {
        let queue = DispatchQueue(label: "stopped")
        queue.suspend()
        var store: CartStore? = makeStore(
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                stateDiffTransform: .newStateOnly,
                stateDiffPrinter: .custom { _ in },
                queue: queue,
                log: log
            )
        )
        for _ in 0..<100 { store?.dispatch(.clear) }
        _ = await store?.shutdown()
        store = nil
        #expect(lines.all.isEmpty)
        queue.resume()
        #expect(await eventually { lines.all.count == 100 })
        #expect(await eventually { log.metrics.written == 100 })
    }

    @Test("what a logger holds is let go once it is written, and with the store")
    func nothingKept() async {
        final class Probe: Sendable {}
        struct Held: Sendable { let probe: Probe }
        let kept = Shared<[WeakProbe]>([])
        struct WeakProbe: Sendable { weak let probe: Probe? }
        do {
            let store = ReduxStoreBase<Held, Held?>(
                initialState: nil,
                reducer: .reduce { action, state in state = action },
                middleware: IdentityMiddleware<Held, Held, Held?>().logger(
                    actionPrinter: .custom { _ in },
                    stateDiffTransform: .newStateOnly,
                    stateDiffPrinter: .custom { _ in },
                    log: log
                )
            )
            for _ in 0..<50 {
                let probe = Probe()
                kept.update { $0.append(WeakProbe(probe: probe)) }
                store.dispatch(Held(probe: probe))
            }
            _ = await store.shutdown()
            await log.flush()
        }
        #expect(await eventually { kept.value.allSatisfy { $0.probe == nil } })
        #expect(log.metrics.written == 50)
    }

    @Test("without a flush a line is written soon, also after a rest, again and again")
    func wakes() async {
        let store = makeStore(
            nothing.logger(actionTransform: .actionNameOnly, actionPrinter: lines.printer, log: log)
        )
        for round in 1...20 {
            store.dispatch(.clear)
            #expect(await eventually { lines.all.count == round })
            if round % 5 == 0 { try? await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test("a flush of several loggers waits for all, also for those on one queue")
    func flush() async {
        let queue = DispatchQueue(label: "shared")
        let stores = (0..<3).map { _ in
            makeStore(
                nothing.logger(actionTransform: .actionNameOnly, actionPrinter: lines.printer, queue: queue, log: log)
            )
        }
        for store in stores {
            for _ in 0..<1_000 { store.dispatch(.clear) }
            await store.drain()
        }
        await log.flush()
        #expect(lines.all.count == 3_000)
    }

    @Test("the middleware behind the logger sees all, whatever is logged")
    func base() async {
        let seen = Recorder<CartAction>()
        struct After: MiddlewareProtocol {
            let seen: Recorder<CartAction>
            func handle(
                action: CartAction,
                from dispatcher: ActionSource,
                state: @escaping GetState<Cart>
            ) -> IO<CartAction> { .pure() }
            func afterReduce(
                action: CartAction,
                from dispatcher: ActionSource,
                state: @escaping GetState<Cart>,
                output: AnyActionHandler<CartAction>
            ) { seen.record(action) }
        }
        let store = makeStore(After(seen: seen).logger(actionFilter: { _ in false }, log: log))
        store.dispatch(.clear)
        store.dispatch(.rename("Ada"))
        await store.drain()
        #expect(seen.all == [.clear, .rename("Ada")])
        #expect(log.metrics == LogMetrics())
    }
}
