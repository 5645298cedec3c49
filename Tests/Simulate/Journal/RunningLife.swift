// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceEffects
import MillraceGated
import MillraceJournal
import MillraceJournalTesting
import MillraceTesting

/// One life of the program: recovers the store, lets others use it, and closes it.
final class RunningLife: @unchecked Sendable {
    // Unchecked because one thread or task of the world runs at a time.
    typealias Store = ReduxStoreBase<Deed, Deeds>

    let options: JournalLifeOptions
    let world: SimulatedWorld
    let time: SimulatedWorld.TimePassing
    let disk: SimulatedDisk
    let notes: Notebook<JournalNotes>
    let life: Int
    let restarts: Bool
    let gate = Gate()
    var random: SimulatedRandom
    private var effects: SimpleEffectMiddleware<Deed, Deeds>?
    /// As many actions were recovered.
    private var recoveredCount = 0
    private(set) var hasRecovered = false
    private(set) var isOver = false

    init(_ scenario: JournalLives, _ options: JournalLifeOptions) {
        self.options = options
        world = scenario.world
        time = scenario.time
        disk = scenario.disk
        notes = scenario.notes
        life = scenario.life
        restarts = scenario.restarts
        random = scenario.random
    }

    func run() async {
        do {
            let store = try await open()
            recovered(store)
            await use(store)
            await end(store)
        } catch {
            refused(error)
        }
        isOver = true
    }

    private func open() async throws(JournalError) -> Store {
        let effects = answering()
        self.effects = effects
        let middleware =
            NotingMiddleware(notes: notes) <> effects <> gated().gated(by: gate, inFlight: .cancel)
        let unfinished: UnfinishedEffects =
            restarts ? .restart(mostUnfinished: options.mostUnfinished) : .forget
        if options.hasSubject {
            return try await Store(
                recovering: journal(),
                subject: .native(initialValue: Deeds()),
                reducer: Deeds.noting,
                middleware: middleware,
                engine: options.engine,
                order: options.order,
                snapshots: options.snapshots,
                effects: unfinished
            )
        }
        return try await Store(
            recovering: journal(),
            initialState: Deeds(),
            reducer: Deeds.noting,
            middleware: middleware,
            engine: options.engine,
            publication: options.publication,
            capacity: options.capacity,
            order: options.order,
            snapshots: options.snapshots,
            held: options.held,
            mostHeld: options.mostHeld,
            visibility: options.visibility,
            effects: unfinished
        )
    }

    private func journal() -> Journal<Deed> {
        Journal(
            on: disk,
            codec: DeedCodec(),
            durability: options.durability,
            onFailure: options.failure,
            capacity: options.ring
        )
    }

    /// A crash alone is no reason to refuse a start. A disk that fails is.
    private func refused(_ error: JournalError) {
        switch error {
        case .system, .full:
            if options.isLast { notes.breaks("a good disk lets the store begin: \(error)") }
        default: notes.breaks("after a mere crash the store begins again: \(error)")
        }
    }

    private func recovered(_ store: Store) {
        let last = Int(store.recovery?.lastSequence ?? 0)
        (recoveredCount, hasRecovered) = (last, true)
        if let damaged = store.recovery?.damagedSnapshots.first {
            notes.breaks("a snapshot that has its name is whole: \(damaged) is not")
        }
        notes.change { $0.recovers(last) }
    }

    /// Closes the store, after what is left in the last life.
    private func end(_ store: Store) async {
        if options.isLast, await settle(store) { check(store) }
        let report = await store.shutdown(deadline: .seconds(30))
        if time == .whenIdle, !report.isComplete { notes.breaks("a shutdown is complete: \(report)") }
        if report.isComplete {
            do throws(UnbalancedCounters) {
                try expectBalanced(store.metrics, isDrained: true)
            } catch {
                notes.breaks("\(error)")
            }
        }
    }

    /// Waits until no effect is under way and nothing is held. Returns false if some are left. If time passes anytime,
    /// that is no fault: the schedule may not let a thread run before the wait is over.
    private func settle(_ store: Store) async -> Bool {
        for _ in 0..<1_000 {
            await store.drain()
            if effects?.runningEffects == 0, store.metrics.pending == 0, !notes.now.isTicking {
                // What the last effects have dispatched is published.
                await store.drain()
                return true
            }
            try? await world.clock.sleep(for: .milliseconds(1))
        }
        if time == .whenIdle { notes.breaks("effects end") }
        return false
    }

    /// What must hold in the last life, which nothing disturbs.
    private func check(_ store: Store) {
        let state = store.withState { $0.all }
        let values = notes.now
        if state != values.history {
            notes.breaks("the state is the history: \(state.count) of \(values.history.count)")
        }
        if options.drops { return }
        if !store.isClosed, let first = first(of: values.history, in: values) {
            notes.breaks("the effect of each action runs: not that of \(first)")
        }
    }

    /// Returns a put whose IO or effect is missing.
    private func first(of history: [Deed], in values: JournalNotes) -> Deed? {
        let start = restarts ? 0 : min(history.count, recoveredCount)
        var tasks: [UInt8: Deed] = [:]
        for deed in history[start...] {
            switch deed.kind {
            case .cancel: tasks[deed.producer] = nil
            case .put where deed.hasTask: tasks[deed.producer] = deed
            case .put where deed.number % 4 == 1 && values.begun[deed] == nil: return deed
            default: break
            }
        }
        let answered = Set(history.filter { $0.kind == .answered })
        let missing = tasks.values.first { !answered.contains(Deed(.answered, Int($0.producer), Int($0.number))) }
        if let missing { return missing }
        return history[min(history.count, recoveredCount)...].first { $0.kind == .put && values.told[$0] == nil }
    }
}
