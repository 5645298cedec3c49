// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceLogging
import MillraceTesting
import TestSupport
import Testing

@Suite("Logger in a simulated world")
struct SimulatedLogTests {
    private struct Broken: Error { let rule: String }

    private static func makeStore(_ world: SimulatedWorld, _ lines: Lines, _ log: ActionLog) -> ReduxStoreBase<Int, Int>
    {
        ReduxStoreBase(
            initialState: 0,
            reducer: Reducer.reduce { action, sum in sum += action },
            middleware: LoggerMiddleware<Int, Int>
                .default(
                    actionTransform: .custom { action, _ in "\(action)" },
                    actionPrinter: lines.printer,
                    stateDiffTransform: .custom { "\($0 ?? -1)→\($1)" },
                    stateDiffPrinter: lines.printer,
                    capacity: 4,
                    log: log
                )
                .lift(inputAction: identity, outputAction: absurd, state: identity),
            engine: .simulated(in: world)
        )
    }

    @Test("lines are written by turns with the actions, in order, and each action is written or counted")
    func order() throws {
        // Schedules in which lines were written between two actions, and in which an action found no room.
        let (between, skipping) = (Shared(0), Shared(0))
        try SimulatedWorld.explore(seeds: 0..<300) { world in
            let (lines, log) = (Lines(), ActionLog())
            let store = Self.makeStore(world, lines, log)
            for thread in 1...3 {
                world.thread("producer \(thread)") {
                    for _ in 0..<8 {
                        store.dispatch(thread)
                        if (1..<24).contains(store.metrics.reduced), !lines.all.isEmpty { between.update { $0 += 1 } }
                    }
                }
            }
            try world.run()
            var sum = 0
            for line in lines.all where line.contains("→") {
                let states = line.split(separator: "→").compactMap { Int($0) }
                guard states.count == 2, states[0] >= sum else { throw Broken(rule: "states in order: \(lines.all)") }
                sum = states[1]
            }
            let metrics = log.metrics
            guard metrics.written + metrics.skipped == 24 else {
                throw Broken(rule: "each is counted once: \(metrics)")
            }
            if metrics.skipped > 0 { skipping.update { $0 += 1 } }
        }
        #expect(between.value > 0 && skipping.value > 0)
    }

    @Test("the limit of lines a second counts the seconds of the world")
    func limit() throws {
        let world = SimulatedWorld(seed: 1)
        let (lines, log) = (Lines(), ActionLog())
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: Reducer.reduce { action, sum in sum += action },
            middleware: LoggerMiddleware<Int, Int>
                .default(
                    actionTransform: .custom { action, _ in "\(action)" },
                    actionPrinter: lines.printer,
                    rateLimit: LogRateLimit(perSecond: 1),
                    log: log
                )
                .lift(inputAction: identity, outputAction: absurd, state: identity),
            engine: .simulated(in: world)
        )
        let clock = world.clock
        world.task("actions") {
            for second in 0..<3 {
                for number in 1...2 { store.dispatch(10 * second + number) }
                await store.drain()
                try await clock.sleep(for: .seconds(1))
            }
            await log.flush()
        }
        try world.run()
        #expect(lines.all == ["1", "11", "21"])
        #expect(log.metrics.limited == 3)
    }
}
