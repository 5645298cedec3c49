// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting

/// A plugin that is installed, replaced, moved and removed while actions come: it sees one run of actions, without a gap.
struct Plugins: Scenario {
    struct Values: Sendable {
        var reduced: [Int] = []
        var seen: [Int] = []
    }

    /// Notes the actions that it sees.
    private struct Watcher: MiddlewareProtocol {
        let book: Notebook<Values>

        func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<Int> {
            book.change { $0.seen.append(action) }
            return .pure()
        }
    }

    static func run(_ world: SimulatedWorld, _ time: SimulatedWorld.TimePassing) throws {
        let book = Notebook(Values())
        var random = world.random
        let store = ReduxStoreBase<Int, Int>(
            initialState: 0,
            reducer: Reducer.reduce { action, count in
                count += 1
                book.change { $0.reduced.append(action) }
            },
            middleware: IdentityMiddleware<Int, Int, Int>(),
            engine: .simulated(in: world),
            capacity: Bool.random(using: &random) ? .unbounded : .bounded(2)
        )
        for producer in 0..<2 {
            world.thread("producer \(producer)") {
                for number in 0..<15 { store.dispatch(2 * number + producer) }
            }
        }
        let yields = Int.random(in: 0..<15, using: &random)
        let changes = (0..<3).map { _ in Int.random(in: 0..<3, using: &random) }
        let removes = Bool.random(using: &random)
        world.task("changes") {
            for _ in 0..<yields { await Task.yield() }
            try await store.plugins.install(Watcher(book: book), as: "watcher")
            try await store.plugins.install(IdentityMiddleware<Int, Int, Int>(), as: "other")
            for change in changes {
                await Task.yield()
                switch change {
                case 0: try await store.plugins.replace("watcher", with: Watcher(book: book))
                case 1: try await store.plugins.move("watcher", to: .last)
                default: try await store.plugins.move("watcher", to: .first)
                }
            }
            if removes { try await store.plugins.remove("watcher") }
        }
        try book.run(world)
        let (reduced, seen) = (book.now.reduced, book.now.seen)
        try expect(reduced.count == 30, "every action is reduced")
        guard let first = seen.first, let start = reduced.firstIndex(of: first) else { return }
        let run = removes ? Array(reduced[start...].prefix(seen.count)) : Array(reduced[start...])
        try expect(seen == run, "a plugin sees one run of actions, without a gap: \(seen) of \(reduced)")
    }
}
