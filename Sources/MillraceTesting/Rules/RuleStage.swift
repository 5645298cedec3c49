// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

/// One store in one world with the middleware that is checked, and its inputs.
final class RuleStage<Action: Sendable, State: Sendable>: @unchecked Sendable {
    // Unchecked because everything belongs to the holder of the world's token.
    let world: SimulatedWorld
    let log: RuleLog
    private(set) var store: ReduxStoreBase<Action, State>?
    /// Whether no more inputs are to come.
    var isStopped = false
    private let hasPlugin: Bool

    static var pluginName: MiddlewareName { "checked plugin" }

    init(_ world: SimulatedWorld, _ log: RuleLog, _ store: ReduxStoreBase<Action, State>, hasPlugin: Bool = false) {
        self.world = world
        self.log = log
        self.store = store
        self.hasPlugin = hasPlugin
    }

    /// Dispatches the actions: from two threads, and one at a time from timers.
    func feed(_ actions: [Action]) {
        var random = world.random
        var parts: [[Action]] = [[], [], []]
        for (index, action) in actions.enumerated() { parts[index % 3].append(action) }
        for (name, part) in zip(["first producer", "second producer"], parts) {
            world.thread(name) { [self] in
                for action in part where !isStopped { store?.dispatch(action) }
            }
        }
        let waits = parts[2].map { _ in [0, 1, 1, 7, 50, 400].randomElement(using: &random) ?? 1 }
        dispatchLater(Array(zip(parts[2], waits))[...])
    }

    private func dispatchLater(_ actions: ArraySlice<(Action, Int)>) {
        guard let (action, wait) = actions.first else { return }
        world.scheduler.addTimer("third producer", in: UInt64(wait) * 1_000_000) { [weak self] in
            guard let self, !isStopped else { return }
            store?.dispatch(action)
            dispatchLater(actions.dropFirst())
        }
    }

    /// Runs until a few timers have fired.
    func runForAWhile() throws {
        var random = world.random
        try runWithoutTime()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            guard let due = world.scheduler.timers.first?.due else { return }
            try world.run(until: .nanoseconds(Int64(clamping: due)))
        }
    }

    /// Runs what can run without moving the clock.
    func runWithoutTime() throws {
        try world.run(until: .nanoseconds(Int64(clamping: world.scheduler.now)))
    }

    /// Runs for a time of the world, or until nothing is left to do.
    func run(for time: Duration) throws {
        try world.run(until: .nanoseconds(Int64(clamping: world.scheduler.now)) + time)
    }

    /// The end of the middleware: releases the store, or removes the plugin.
    func end() {
        isStopped = true
        if hasPlugin, let store {
            world.task("removal of the plugin") { try await store.plugins.remove(Self.pluginName) }
        } else {
            store = nil
        }
    }

    /// What `end` did, in words.
    var ending: String { hasPlugin ? "The plugin was removed" : "The store has ended" }

    /// Ends everything that still runs in the world.
    func close() {
        isStopped = true
        store = nil
        try? runWithoutTime()
        for sleep in world.scheduler.timers.compactMap(\.sleep) { world.scheduler.cancel(sleep) }
        try? world.run(until: .nanoseconds(Int64(clamping: world.scheduler.now)), steps: 1_000)
    }

    /// Whether a task of the world sleeps.
    var hasSleeper: Bool { world.scheduler.timers.contains { $0.sleep != nil } }
}
