// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import Synchronization
import TestSupport
import Testing

/// Plugins that come and go while a store is as busy as it can be.
@Suite("Plugins under load", .serialized, .timeLimit(.minutes(5)))
struct PluginChurnTests {
    /// Of the actions that a plugin has seen: the first and the last, and what is wrong with them.
    final class Witness: MiddlewareProtocol, @unchecked Sendable {
        // Unchecked because only the pipeline writes, and the test reads when the plugin is out.
        var first: Int?
        var last: Int?
        var gaps = 0
        var open: Int?

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            if let last, action != last + 1 { gaps += 1 }
            if open != nil { gaps += 1 }
            first = first ?? action
            last = action
            open = action
            return .pure()
        }

        func afterReduce(
            action: Int,
            from dispatcher: ActionSource,
            state: @escaping GetState<Int>,
            output: AnyActionHandler<Int>
        ) {
            if open != action { gaps += 1 }
            open = nil
        }
    }

    /// A store to which a thread dispatches actions, numbered from 0, as fast as it can, while `body` runs.
    private func busy(
        _ engine: StoreEngine,
        _ body: (ReduxStoreBase<Int, Int>) async throws -> Void
    ) async throws -> Int {
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { action, next in if action == next { next += 1 } },
            engine: engine,
            publication: .onDemand,
            // Each change of the plugins waits behind the actions that are in the queue, so more would only take longer.
            capacity: .bounded(128)
        )
        let isOver = Shared(false)
        async let dispatched: Int = withCheckedContinuation { task in
            onNewThread {
                var number = 0
                while !isOver.value {
                    store.dispatch(contentsOf: Array(number..<number + 64))
                    number += 64
                }
                task.resume(returning: number)
            }
        }
        defer { isOver.value = true }
        await progress(of: store)
        try await body(store)
        isOver.value = true
        let count = await dispatched
        await store.drain()
        #expect(store.state == count, "none lost, none doubled, in order")
        return count
    }

    /// Waits until some actions more are handled.
    private func progress(of store: ReduxStoreBase<Int, Int>) async {
        let before = store.metrics.reduced
        #expect(await eventually { store.metrics.reduced > before })
    }

    private static let busyEngines: [StoreEngine] = [.thread(), .queue(.init(label: "churn")), .caller]

    @Test("installed, moved, switched and removed: each sees one run of actions, without a gap", arguments: busyEngines)
    func churn(engine: StoreEngine) async throws {
        let names: [MiddlewareName] = ["a", "b", "c", "d"]
        let seen = Shared(0)
        _ = try await busy(engine) { store in
            var present: [(name: MiddlewareName, witness: Witness)] = []
            var random = SplitMix64(seed: 5)
            func take(_ index: Int) async throws {
                let (name, witness) = present.remove(at: index)
                try await store.plugins.remove(name)
                #expect(witness.gaps == 0 && witness.open == nil)
                if let first = witness.first, let last = witness.last { seen.update { $0 += last - first + 1 } }
            }
            for step in 0..<(isSanitized ? 200 : 500) {
                if step % 20 == 19 { await progress(of: store) }
                let free = names.first { name in !present.contains { $0.name == name } }
                switch Int.random(in: 0..<4, using: &random) {
                case 0, 1:
                    guard let free else { continue }
                    let witness = Witness()
                    try await store.plugins.install(witness, as: free, at: Bool.random() ? .first : .last)
                    present.append((free, witness))
                case 2:
                    guard let one = present.first else { continue }
                    try await store.plugins.move(one.name, to: .last)
                default:
                    if !present.isEmpty { try await take(Int.random(in: 0..<present.count, using: &random)) }
                }
            }
            while !present.isEmpty { try await take(0) }
            #expect(store.plugins.all == [])
        }
        #expect(seen.value > 0)
    }

    @Test("replaced again and again: together they see every action once", arguments: busyEngines)
    func replacing(engine: StoreEngine) async throws {
        var witnesses = [Witness()]
        _ = try await busy(engine) { store in
            try await store.plugins.install(witnesses[0], as: "witness")
            for step in 0..<(isSanitized ? 200 : 600) {
                if step % 20 == 19 { await progress(of: store) }
                let next = Witness()
                witnesses.append(next)
                try await store.plugins.replace("witness", with: next)
            }
            try await store.plugins.remove("witness")
        }
        var last: Int?
        for witness in witnesses {
            #expect(witness.gaps == 0 && witness.open == nil)
            guard let first = witness.first else { continue }
            if let last { #expect(first == last + 1) }
            last = witness.last
        }
        #expect(last != nil)
    }

    @Test("disabled and enabled, the figures count what it saw")
    func switching() async throws {
        let witness = Counter()
        _ = try await busy(.thread()) { store in
            try await store.plugins.install(witness, as: "counter")
            for _ in 0..<(isSanitized ? 200 : 600) {
                try await store.plugins.disable("counter")
                let seen = witness.count
                #expect(store.plugins["counter"]?.handled == UInt64(seen))
                await store.drain()
                #expect(witness.count == seen, "none while it is disabled")
                try await store.plugins.enable("counter")
            }
            try await store.plugins.remove("counter")
        }
        #expect(witness.count > 0)
    }

    final class Counter: MiddlewareProtocol, Sendable {
        private let seen = Atomic<Int>(0)

        var count: Int { seen.load(ordering: .relaxed) }

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            seen.add(1, ordering: .relaxed)
            return .pure()
        }
    }
}
