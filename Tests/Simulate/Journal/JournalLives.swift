// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceEffects
import MillraceGated
import MillraceJournal
import MillraceJournalTesting
import MillraceTesting

/// A journaled store over three lives of its program. The first two end by a power cut, a kill, a failed call, a full disk or
/// a shutdown, at any step, also during the recovery. The last one ends in peace. The seed chooses the options of each life.
struct JournalLives: Scenario {
    typealias Store = ReduxStoreBase<Deed, Deeds>

    enum Crash: Sendable { case none, powerCut, kill, failure, full }

    let world: SimulatedWorld
    let time: SimulatedWorld.TimePassing
    let disk: SimulatedDisk
    let notes = Notebook(JournalNotes())
    var random: SimulatedRandom
    /// The same in all lives: an effect that began under the other policy would be forgotten.
    let restarts: Bool
    var life = 0
    /// How the last life that had recovered its store kept its promises, and whether it went on without its journal.
    var promise = (durability: Durability.grouped, goesOn: false)

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        var scenario = JournalLives(world, time)
        try scenario.run()
    }

    private init(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) {
        self.world = world
        self.time = time
        disk = SimulatedDisk(in: world)
        random = world.random
        restarts = Int.random(in: 0..<3, using: &random) == 0
    }

    private mutating func run() throws {
        world.invariant("a rule of the scenario") { [notes] in notes.now.broken == nil }
        let removesSegments = Int.random(in: 0..<3, using: &random) == 0
        for life in 1...3 {
            self.life = life
            let crashes: [Crash] = [.none, .powerCut, .powerCut, .kill, .failure, .full]
            let crash = life == 3 ? .none : crashes.randomElement(using: &random)!
            let options = JournalLifeOptions(isLast: life == 3, removesSegments: removesSegments, &random, world)
            notes.change { $0.begins("life \(life), \(crash)\(restarts ? ", restart" : ""): \(options.text); ") }
            prepare(crash)
            let running = RunningLife(self, options)
            world.task("life \(life)") { await running.run() }
            try runWorld()
            try expect(running.isOver, "a life comes to its end")
            // The program may still have files open.
            if crash == .kill { disk.kill() } else { disk.restart() }
            // A life that ended while it recovered has promised nothing. But its crash may have lost what the one before had
            // promised to keep after a kill only.
            if running.hasRecovered { promise = (options.durability, options.failure == .detach) }
            let (isKill, goesOn, durability) = (crash == .kill, promise.goesOn, promise.durability)
            notes.change {
                switch durability {
                case .process: $0.ends(keeping: isKill, isKill && !goesOn)
                // A store that goes on without its journal runs the IOs and effects of actions that will be lost.
                case .interval: $0.ends(keeping: true, isKill && !goesOn)
                case .grouped, .every: $0.ends(keeping: true, !goesOn)
                }
            }
        }
    }

    private func runWorld() throws {
        do {
            try world.run(steps: 20_000)
        } catch let failure {
            // After another failure the threads run to their ends, without rules.
            guard case .invariant = failure.reason, let broken = notes.now.broken else {
                throw Broken(description: "\(failure.reason) (\(notes.now.title))")
            }
            throw Broken(description: broken)
        }
        if let broken = notes.now.broken { throw Broken(description: broken) }
    }

    /// Lets something go wrong with the disk, at some call or at some step.
    private mutating func prepare(_ crash: Crash) {
        disk.mend()
        let (disk, world) = (disk, world)
        let calls = Int.random(in: 0..<90, using: &random)
        switch crash {
        case .none: break
        case .failure: disk.fail(by: .failure, after: calls)
        case .full:
            disk.fail(by: .full, after: calls, lasts: true)
            // In a task, because its sleep begins with the first step.
            let wait = Int.random(in: 0..<80, using: &random)
            world.task("makes room") {
                try await world.clock.sleep(for: .milliseconds(wait))
                disk.mend()
            }
        case .powerCut where Bool.random(using: &random): disk.fail(by: .powerCut, after: calls)
        case .powerCut, .kill:
            let pauses = Int.random(in: 0..<250, using: &random)
            world.thread("crash") {
                for _ in 0..<pauses { world.pause() }
                if crash == .kill { disk.kill() } else { disk.cutPower() }
            }
        }
    }
}

/// What the seed chooses for one life.
struct JournalLifeOptions: Sendable {
    let durability: Durability
    let failure: JournalFailurePolicy
    let held: HeldWorkPolicy
    let order: ActionOrder
    let capacity: StoreCapacity
    let publication: Publication
    let visibility: StateVisibility
    let snapshots: SnapshotPolicy<Deeds>
    let ring: Int
    let mostHeld: Int
    let mostUnfinished: Int
    let engine: StoreEngine
    let isCaller: Bool
    /// Whether the state is in a subject.
    let hasSubject: Bool
    let isLast: Bool

    /// Those that explain most failures.
    var text: String {
        let limits = "ring \(ring), held \(mostHeld), unfinished \(mostUnfinished)"
        return "\(durability), \(failure), \(held), \(order), \(capacity), \(visibility), \(limits)"
            + (isCaller ? ", caller" : "") + (hasSubject ? ", subject" : "")
    }
    /// Whether the store may drop what was dispatched.
    let drops: Bool

    init(isLast: Bool, removesSegments: Bool, _ random: inout SimulatedRandom, _ world: SimulatedWorld) {
        self.isLast = isLast
        func any<Value>(_ values: Value...) -> Value { values.randomElement(using: &random)! }
        durability = any(.grouped, .grouped, .every, .process, .interval(.milliseconds(2)))
        failure = isLast ? .stop : any(.stop, .stop, .stop, .detach)
        isCaller = any(false, false, false, true)
        engine = isCaller ? .caller(in: world.storeWorld) : .simulated(in: world)
        // As in stores outside of a world.
        held = isCaller ? .exact : any(.held, .held, .exact)
        order = held == .exact ? any(.fifo, .internalFirst) : .fifo
        // A thread that waits for room would wait for itself.
        drops = !isCaller && any(false, false, true)
        capacity =
            if isCaller {
                .unbounded
            } else if drops {
                any(.bounded(3, overflow: .dropNewest), .bounded(3, overflow: .dropOldest))
            } else {
                any(.unbounded, .unbounded, .bounded(2), .bounded(6))
            }
        publication = any(.batch, .onDemand, .atMost(every: .milliseconds(1)))
        visibility = any(.immediate, .immediate, .durable)
        let codec = DeedsCodec()
        let kind = any(SnapshotKind.copy, .shadow)
        // A journal whose first segments were removed needs its snapshots.
        snapshots =
            any(false, !removesSegments)
            ? .never : .every(actions: any(4, 9), removesSegments: removesSegments, kind: kind, by: codec)
        ring = any(2, 8, 16)
        mostHeld = any(1, 3, 100)
        mostUnfinished = any(1, 3, 100)
        // What such a store can have, among the others. Without a choice of its own: the seeds keep their meaning.
        hasSubject = held == .exact && capacity == .unbounded && visibility == .immediate && publication == .batch
    }
}
