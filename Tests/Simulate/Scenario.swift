// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceTesting

/// A program in a simulated world, and the rules that it must keep. The seed chooses its options.
protocol Scenario {
    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws
}

/// Scenarios that are run together.
enum Family: String {
    case stores, journals
    /// Apart from the others, so that their seeds keep their meaning.
    case policies

    private var all: [any Scenario.Type] {
        switch self {
        case .stores:
            [
                Mixed.self, Tokens.self, Order.self, Subscribers.self, Gates.self, Shards.self,
                Supervision.self, Plugins.self, Reads.self,
            ]
        case .journals: [JournalLives.self, JournalLives.self, JournalLives.self, JournalTakeover.self]
        case .policies: [Policies.self]
        }
    }

    /// Returns the scenario of a seed: by turns, so that a range of seeds holds all of them.
    func scenario(of seed: UInt64) -> any Scenario.Type { all[Int(seed % UInt64(all.count))] }
}

struct Broken: Error, CustomStringConvertible {
    let description: String
}

func expect(_ isTrue: Bool, _ rule: @autoclosure () -> String) throws {
    if !isTrue { throw Broken(description: rule()) }
}

/// What the threads of a scenario note for its rules, beside the store. One thread of the world runs at a time, so the lock
/// is never contended for long.
final class Notebook<Values: Sendable>: Sendable {
    private let values: Locked<(values: Values, broken: String?)>

    init(_ values: Values) { self.values = Locked((values, nil)) }

    var now: Values { values.withLock { $0.values } }
    /// The first broken rule.
    var broken: String? { values.withLock { $0.broken } }

    @discardableResult
    func change<Result: Sendable>(_ body: (inout Values) -> Result) -> Result { values.withLock { body(&$0.values) } }

    func breaks(_ rule: String) {
        values.withLock { if $0.broken == nil { $0.broken = rule } }
    }

    /// Runs the world. A rule that was broken is the reason of the failure.
    func run(_ world: SimulatedWorld) throws {
        world.invariant("a rule of the scenario") { self.broken == nil }
        do {
            try world.run(steps: 20_000)
        } catch let failure {
            throw broken.map { Broken(description: $0) } ?? failure
        }
        if let broken { throw Broken(description: broken) }
    }
}
