// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import MillraceJournal
import MillraceTesting

// Who uses the store in one life.
extension RunningLife {
    /// Lets producers and others use the store, and returns when they have ended.
    func use(_ store: Store) async {
        let endsEarly = !options.isLast && chance(4)
        if chance(2) { addThread(store) }
        if chance(3) { addGate() }
        let subscription = options.publication == .onDemand ? nil : watch(store)
        await withTaskGroup(of: Void.self) { group in
            for producer in 1...2 {
                let count = Int.random(in: 2..<12, using: &random)
                let choices = (0..<count).map { _ in Int.random(in: 0..<10, using: &random) }
                group.addTask { await self.produce(producer, choices, store) }
            }
            if chance(3) {
                let yields = Int.random(in: 0..<40, using: &random)
                group.addTask { await self.plug(store, yields) }
            }
            if chance(2) { group.addTask { await self.lookAhead(store) } }
            if chance(4) { group.addTask { await self.breakNumbers(store) } }
            if endsEarly {
                let wait = Int.random(in: 0..<9, using: &random)
                let deadline = Int.random(in: 0..<4, using: &random)
                group.addTask { await self.shutDown(store, after: wait, deadline: .milliseconds(deadline)) }
            }
        }
        withExtendedLifetime(subscription) {}
    }

    func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private func watch(_ store: Store) -> AnyObject? {
        guard options.visibility == .durable else { return nil }
        return store.subscribe { [notes] state in notes.change { $0.sees(state.all.count) } }
    }

    /// Actions without a number, urgent ones among them.
    private func addThread(_ store: Store) {
        let choices = (0..<Int.random(in: 1..<12, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
        notes.change { $0.isTicking = true }
        world.thread("ticks") { [life, notes] in
            defer { notes.change { $0.isTicking = false } }
            for (index, choice) in choices.enumerated() {
                let number = life * 1_000 + index
                switch choice {
                case 0: store.dispatch(urgent: Deed(.urgent, 0, number))
                case 1: store.dispatch(Deed(.cancel, index % 2 + 1, number))
                case 2: store.dispatch(Deed(.plugged, 0, number))
                default: store.dispatch(Deed(.tick, 0, number))
                }
            }
        }
    }

    private func addGate() {
        let pauses = Int.random(in: 0..<120, using: &random)
        world.thread("gate") { [gate, notes, world] in
            for _ in 0..<pauses { world.pause() }
            gate.close()
            notes.change { $0.isGateClosed = true }
            for _ in 0..<40 { world.pause() }
            notes.change { $0.isGateClosed = false }
            gate.open()
        }
    }

    private func plug(_ store: Store, _ yields: Int) async {
        do {
            try await store.plugins.install(NotingPlugin(notes: notes), as: "teller")
            try await store.plugins.install(pluggedEffects(), as: "effects")
            for index in 0..<4 {
                try? await store.send(Deed(.plugged, 9, life * 1_000 + index))
                for _ in 0..<yields / 4 { await Task.yield() }
            }
            try await store.plugins.remove("teller")
            try await store.plugins.remove("effects")
            notes.change { $0.isPluginGone = true }
        } catch {
            // The store may be closed meanwhile.
        }
    }

    /// Dispatches, and then waits for what it has dispatched.
    private func lookAhead(_ store: Store) async {
        for index in 0..<3 {
            let deed = Deed(.tick, 8, life * 1_000 + index)
            try? await store.send(deed)
            guard !options.drops, !store.isClosed else { continue }
            if index == 1 {
                await store.drain()
                if !store.isClosed, notes.now.told[deed] == nil { notes.breaks("a drain waits for held work: \(deed)") }
            } else if (try? await store.journaled()) != nil, !store.isClosed {
                notes.change { $0.acknowledges(deed) }
            }
        }
    }

    private func shutDown(_ store: Store, after wait: Int, deadline: Duration) async {
        try? await world.clock.sleep(for: .milliseconds(wait))
        _ = await store.shutdown(deadline: deadline)
    }
}
