// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceTesting
import Testing

@Suite("Explanations")
struct ExplanationTests {
    enum Step: Sendable { case login, load, progress, loaded, tick }

    struct Chain: MiddlewareProtocol {
        func handle(action: Step, from: ActionSource, state: @escaping GetState<Int>) -> IO<Step> {
            switch action {
            case .login: IO { $0.dispatch(.load) }
            case .load:
                IO { output in
                    output.dispatch(.progress)
                    output.dispatch(.loaded)
                }
            default: .pure()
            }
        }
    }

    private func makeStore(_ world: SimulatedWorld) -> ReduxStoreBase<Step, Int> {
        ReduxStoreBase(
            initialState: 0,
            reducer: .reduce { _, count in count += 1 },
            middleware: Chain(),
            engine: .simulated(in: world)
        )
    }

    @Test("the chain of an action and its tree, as a structure and as text")
    func chain() throws {
        let world = SimulatedWorld(seed: 1)
        let store = makeStore(world)
        let recorder = CauseRecorder(store)
        try world.run()
        store.dispatch(.tick)
        store.dispatch(.login)
        try world.run()
        let explanation = try #require(store.explain(5))
        #expect(explanation.action.kind == "loaded")
        #expect(explanation.causes.map(\.kind) == ["login", "load"])
        #expect(explanation.causes.map(\.number) == [2, 3])
        #expect(explanation.isComplete)
        #expect(explanation.tree.children.first?.children.map(\.action.kind) == ["progress", "loaded"])
        let lines = "\(explanation)".split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("2 login, ExplanationTests.swift:"))
        #expect(lines[1].hasPrefix("└ 3 load, "))
        #expect(lines[2].hasPrefix("  ├ 4 progress, "))
        #expect(lines[3].hasPrefix("  └ 5 loaded, "))
        #expect(lines[3].hasSuffix("◀ asked for"))
        #expect(store.explain(1)?.causes == [])
        #expect(store.explain(6) == nil)
        #expect(recorder.actions.map(\.number) == [1, 2, 3, 4, 5])
    }

    @Test("a bounded recording says that the chain is not complete")
    func bounded() throws {
        let world = SimulatedWorld(seed: 1)
        let store = makeStore(world)
        let recorder = CauseRecorder(store, room: 3)
        store.dispatch(.login)
        store.dispatch(.tick)
        try world.run()
        #expect(recorder.actions.count == 3)
        let last = try #require(recorder.explain(4))
        #expect(last.causes.map(\.kind) == ["load"])
        #expect(!last.isComplete)
        #expect("\(last)".hasPrefix("… caused by 1, which is not recorded\n3 load"))
        #expect(recorder.explain(1) == nil)
    }

    @Test("a recorder that has ended records nothing, and can still be read")
    func ended() throws {
        let world = SimulatedWorld(seed: 1)
        let store = makeStore(world)
        var recorder: CauseRecorder? = CauseRecorder(store)
        store.dispatch(.tick)
        try world.run()
        recorder?.end()
        store.dispatch(.tick)
        try world.run()
        #expect(recorder?.actions.count == 1)
        #expect(store.explain(1) != nil)
        recorder = nil
        #expect(store.explain(1) == nil)
    }

    @Test("across the shards of a store")
    func shards() async throws {
        let store = ShardedStore(
            shards: 2,
            by: { (action: Step) in action == .login ? 0 : 1 },
            initialState: { _ in 0 },
            reducer: .reduce { _, count in count += 1 },
            middleware: { _ in Chain() }
        )
        let recorder = CauseRecorder(store)
        store.dispatch(.login)
        await store.drain()
        await store.drain()
        await store.drain()
        let loaded = try #require(recorder.actions.first { $0.kind == "loaded" })
        let explanation = try #require(recorder.explain(loaded.number, shard: loaded.shard))
        #expect(explanation.causes.map(\.kind) == ["login", "load"])
        #expect(explanation.isComplete)
    }
}
