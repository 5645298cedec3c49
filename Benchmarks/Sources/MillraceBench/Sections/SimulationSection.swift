// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceEffects
import MillraceGated
import MillraceTesting

/// What a step of a simulated world costs: schedules of at least 200 steps, with three producers, effects and a gate.
///
/// The target is the time of a step at 1,000 schedules of 200 steps a second, on one core.
struct SimulationSection: Section {
    let id = "simulation"

    private enum Action: Sendable { case work(Int), load(Int), loaded(Int), cancel }

    func measure(_ pairing: Pairing) async throws -> [Table] {
        let step = Contender("a step", share: 0.05, run: Self.run)
        let time = try await pairing.measure(step, runs: pairing.pairs)
        let row = Row(step.name, time: time, targets: [Target(figure: .nanoseconds, atMost: 5_000)])
        return [
            Table(
                title: "Simulated worlds: a step of a schedule with 3 producers, effects and a gate",
                rows: [row]
            )
        ]
    }

    private static func run(_ operations: Int) throws -> UInt64 {
        let began = bench_now()
        let done = try steps(atLeast: operations)
        return (bench_now() - began) * UInt64(operations) / UInt64(done)
    }

    /// Runs schedules with the seeds from 0 on, until they had so many steps. Returns how many there were.
    nonisolated static func steps(atLeast operations: Int) throws -> Int {
        var steps = 0
        var seed: UInt64 = 0
        while steps < operations {
            let world = SimulatedWorld(seed: seed)
            let reduced = try schedule(world)
            // 84 actions from the threads; those of effects come on top.
            guard reduced >= 84, world.stepCount >= 200 else {
                throw BenchmarkError.wrongResult(
                    contender: "simulation",
                    expected: "84 actions in 200 steps",
                    found: "\(reduced) in \(world.stepCount)"
                )
            }
            steps += world.stepCount
            seed += 1
        }
        return steps
    }

    private nonisolated static func schedule(_ world: SimulatedWorld) throws -> UInt64 {
        let clock = world.clock
        let effects = SimpleEffectMiddleware<Action, Int>.onAction { action, _, _ in
            switch action {
            case .load(let number):
                .task(token: number % 3) { _ in
                    try? await clock.sleep(for: .milliseconds(number % 5))
                    return .loaded(number)
                }
            case .cancel: .toCancel(1)
            default: .doNothing
            }
        }
        let gate = Gate()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Action, Int>.reduce { action, sum in if case .work(let number) = action { sum += number }
            },
            middleware: effects.gated(by: gate),
            engine: .simulated(in: world)
        )
        for producer in 0..<3 {
            world.thread("producer \(producer)") {
                for number in 0..<28 {
                    switch number % 4 {
                    case 0: store.dispatch(.load(number + producer))
                    case 1: store.dispatch(.cancel)
                    default: store.dispatch(.work(number))
                    }
                }
            }
        }
        world.thread("gate") {
            for _ in 0..<10 { world.pause() }
            gate.close()
            for _ in 0..<10 { world.pause() }
            gate.open()
        }
        try world.run()
        return store.metrics.reduced
    }
}
