// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceGated
import MillraceTesting

/// A sequence of so many elements.
struct Repeated<Element: Sendable>: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let count: Int
    let element: @Sendable (Int) async -> Element
    private var number = 0

    init(count: Int, _ element: @escaping @Sendable (Int) async -> Element) {
        self.count = count
        self.element = element
    }

    func makeAsyncIterator() -> Repeated { self }

    mutating func next() async -> Element? {
        guard number < count else { return nil }
        defer { number += 1 }
        return await element(number)
    }
}

/// Three producers, effects with tokens, a gate that cancels, a plugin that comes and goes, urgent actions, a subscriber, a
/// drain, and a shutdown or a release at the end. The seed chooses the store's options and which of these take part.
struct Mixed: Scenario {
    private let world: SimulatedWorld
    private let notes = Notebook(Notes())
    private let gate = Gate()
    private var random: SimulatedRandom

    private let time: SimulatedWorld.TimePassing

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        var scenario = Mixed(world, time)
        try scenario.run()
    }

    private init(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) {
        self.time = time
        self.world = world
        random = world.random
    }

    private mutating func run() throws {
        let notes = notes
        let capacities: [StoreCapacity] = [.unbounded, .unbounded, .bounded(2), .bounded(4), .bounded(1)]
        let capacity = capacities.randomElement(using: &random)!
        let publications: [Publication] = [.batch, .everyAction, .onDemand, .atMost(every: .milliseconds(1))]
        let publication = publications.randomElement(using: &random)!
        let store = ReduxStoreBase<Action, Ledger>(
            initialState: Ledger(),
            reducer: Reducer.reduce { action, ledger in
                ledger.reduce(action, completed: notes.now.completed)
                Self.look(action, notes)
            },
            middleware: Self.effects(world, notes) <> Self.gated(notes).gated(by: gate, inFlight: .cancel)
                <> Self.closing(gate, notes) <> Self.echo(),
            engine: .simulated(in: world),
            publication: publication,
            capacity: capacity,
            order: Bool.random(using: &random) ? .fifo : .internalFirst
        )
        let subscription = store.subscribe { ledger in notes.change { $0.lastTold = ledger.handled } }
        addProducers(store)
        if Int.random(in: 0..<3, using: &random) != 0 { addGate() }
        if Int.random(in: 0..<3, using: &random) == 0 { addPlugin(store) }
        if Int.random(in: 0..<3, using: &random) == 0 { addUrgent(store) }
        if Int.random(in: 0..<2, using: &random) == 0 { addDrain(store) }
        let endsEarly = Int.random(in: 0..<4, using: &random) == 0
        if endsEarly { addShutdown(store) }
        try notes.run(world)
        try check(store, endsEarly: endsEarly, tells: publication != .onDemand)
        withExtendedLifetime(subscription) {}
    }

    // MARK: The store's middlewares

    private static func effects(
        _ world: SimulatedWorld,
        _ notes: Notebook<Notes>
    ) -> some MiddlewareProtocol<Action, Action, Ledger> & Sendable {
        let clock = world.clock
        return SimpleEffectMiddleware<Action, Ledger>.onAction { action, _, _ in
            switch action {
            case .load(let token, let run):
                switch run % 3 {
                case 0:
                    return .task(token: token) { _ in
                        notes.change { $0.completed.insert(run) }
                        return .loaded(token: token, run: run)
                    }
                case 1:
                    notes.change { $0.completed.insert(run) }
                    return .just(.loaded(token: token, run: run)).delay(for: .milliseconds(run % 5)).withToken(token)
                default:
                    // Every second one never sleeps, so that it waits for room in a full store.
                    let sleeps = run % 2 == 0
                    return .stream(token: token) { _ in
                        Repeated(count: 4) { number in
                            if sleeps, number > 0 { try? await clock.sleep(for: .milliseconds(number * 2)) }
                            if number == 3 { notes.change { $0.completed.insert(run) } }
                            return .loaded(token: token, run: run)
                        }
                    }
                }
            case .cancel(let token): return .toCancel(token)
            default: return .doNothing
            }
        }
    }

    private static func gated(_ notes: Notebook<Notes>) -> some MiddlewareProtocol<Action, Action, Ledger> & Sendable {
        SimpleEffectMiddleware<Action, Ledger>.onAction { action, _, _ in
            switch action {
            case .loadGated(let run), .loadGatedAndClose(let run):
                return .task { _ in
                    if notes.now.isGateClosed { notes.breaks("no effect begins behind a closed gate") }
                    return .gatedLoaded(run: run)
                }
            default: return .doNothing
            }
        }
    }

    /// Closes the gate after the middleware behind it has handled the action, and before the effect of that begins.
    private static func closing(_ gate: Gate, _ notes: Notebook<Notes>) -> AnyMiddleware<Action, Action, Ledger> {
        AnyMiddleware { action, _, _ in
            guard case .loadGatedAndClose = action else { return .pure() }
            gate.close()
            notes.change { $0.isGateClosed = true }
            return .pure()
        }
    }

    private static func echo() -> some MiddlewareProtocol<Action, Action, Ledger> & Sendable {
        SimpleEffectMiddleware<Action, Ledger>.onAction { action, _, _ in
            guard case .echo(let number) = action else { return .doNothing }
            return .just(.echoed(number))
        }
    }

    /// Checks rules that need to know what threads have done meanwhile.
    private static func look(_ action: Action, _ notes: Notebook<Notes>) {
        notes.change { $0.handled += 1 }
        switch action {
        case .urgent: notes.change { $0.isUrgentReduced = true }
        case .pluggedLoaded where notes.now.isPluginGone: notes.breaks("no action comes from a removed plugin")
        default: break
        }
    }
}

// Who takes part.
extension Mixed {
    private mutating func addProducers(_ store: ReduxStoreBase<Action, Ledger>) {
        let notes = notes
        for producer in 0..<3 {
            let count = Int.random(in: 4..<14, using: &random)
            let odds = (0..<count).map { _ in Int.random(in: 0..<8, using: &random) }
            world.thread("producer \(producer)") {
                for (number, odd) in odds.enumerated() {
                    switch odd {
                    case 0, 1: store.dispatch(.load(token: producer % 2, run: producer + 3 * number + 1))
                    case 2: store.dispatch(.cancel(token: producer % 2))
                    case 3 where number % 4 == 3: store.dispatch(.loadGatedAndClose(run: number))
                    case 3: store.dispatch(.loadGated(run: number))
                    case 4: store.dispatch(.plugged(run: number))
                    case 5: store.dispatch(.echo(number))
                    default:
                        // Counted before, as the dispatch may be handled before it returns.
                        notes.change { $0.sent += 1 }
                        store.dispatch(.work(producer: producer, number: number))
                    }
                }
            }
        }
    }

    private mutating func addGate() {
        let (gate, notes, world) = (gate, notes, world)
        let pauses = Int.random(in: 0..<6, using: &random)
        world.thread("gate") {
            for _ in 0..<pauses { world.pause() }
            gate.close()
            notes.change { $0.isGateClosed = true }
            for _ in 0..<8 { world.pause() }
            notes.change { $0.isGateClosed = false }
            gate.open()
        }
    }

    private mutating func addPlugin(_ store: ReduxStoreBase<Action, Ledger>) {
        let notes = notes
        let plugin = SimpleEffectMiddleware<Action, Ledger>.onAction { action, _, _ in
            guard case .plugged(let run) = action else { return .doNothing }
            return .stream { _ in
                Repeated(count: 3) { _ in
                    await Task.yield()
                    return .pluggedLoaded(run: run)
                }
            }
        }
        let yields = Int.random(in: 0..<60, using: &random)
        world.task("plugin") {
            do {
                try await store.plugins.install(plugin, as: "plugin")
                for _ in 0..<yields { await Task.yield() }
                try await store.plugins.remove("plugin")
                notes.change { $0.isPluginGone = true }
            } catch is PluginError {
                // The store may be closed meanwhile.
            }
        }
    }

    private mutating func addUrgent(_ store: ReduxStoreBase<Action, Ledger>) {
        let (notes, world) = (notes, world)
        let pauses = Int.random(in: 0..<10, using: &random)
        world.thread("urgent") {
            for _ in 0..<pauses { world.pause() }
            guard store.dispatch(urgent: .urgent(run: 1)) == .accepted else { return }
            let handled = notes.now.handled
            world.invariant("an urgent action is reduced next, or after the action that was taken up") {
                notes.now.isUrgentReduced || notes.now.handled <= handled + 1
            }
        }
    }

    private mutating func addDrain(_ store: ReduxStoreBase<Action, Ledger>) {
        let notes = notes
        let count = Int.random(in: 1..<4, using: &random)
        world.task("drain") {
            for number in 0..<count {
                notes.change { $0.sent += 1 }
                store.dispatch(.work(producer: 9, number: number))
            }
            await store.drain()
            if store.withState({ $0.last[9] }) != count - 1, !store.isClosed {
                notes.breaks("a drain returns after the actions that were dispatched before it")
            }
        }
    }

    private mutating func addShutdown(_ store: ReduxStoreBase<Action, Ledger>) {
        let (clock, notes, time) = (world.clock, notes, time)
        let wait = Int.random(in: 0..<3, using: &random)
        let yields = Int.random(in: 0..<12, using: &random)
        world.task("shutdown") {
            for _ in 0..<yields { await Task.yield() }
            if wait > 0 { try await clock.sleep(for: .milliseconds(wait)) }
            let report = await store.shutdown(deadline: .seconds(1))
            notes.change { $0.isDone = true }
            // Where time passes at any moment, the deadline may come first.
            if time == .anytime { return }
            if !report.isComplete { notes.breaks("a shutdown without long handlers is complete") }
            if report.dropped != 0 { notes.breaks("a shutdown before its deadline drops nothing") }
        }
    }

    private func check(_ store: ReduxStoreBase<Action, Ledger>, endsEarly: Bool, tells: Bool) throws {
        let ledger = store.state
        let metrics = store.metrics
        let values = notes.now
        if let broken = ledger.broken { throw Broken(description: broken) }
        try expect(metrics.pending == 0, "nothing is left: \(metrics.pending) pending")
        try expect(
            metrics.offered == metrics.reduced + metrics.rejected + metrics.dropped + metrics.cancelled,
            "every action is counted once: \(metrics)"
        )
        try expect(Int(metrics.reduced) == values.handled, "each counted action was reduced once")
        try expect(endsEarly || metrics.rejected == 0, "an open store rejects nothing: \(metrics.rejected)")
        try expect(
            endsEarly || ledger.works == values.sent,
            "every action is reduced: \(ledger.works) of \(values.sent)"
        )
        try expect(
            endsEarly || ledger.echoes == ledger.echoed,
            "each action is answered: \(ledger.echoed) of \(ledger.echoes)"
        )
        try expect(
            endsEarly || ledger.runs.values.allSatisfy { ledger.loads[$0, default: 0] == ($0 % 3 == 2 ? 4 : 1) },
            "every effect that is not cancelled sends all its actions: \(ledger.runs), sent \(ledger.loads)"
        )
        try expect(!tells || values.lastTold ?? 0 == ledger.handled, "a subscriber is told the last state")
    }
}
