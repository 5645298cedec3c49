// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

@Suite("Dispatch", .serialized, .timeLimit(.minutes(5)))
struct DispatchTests {
    @Test("every form of dispatch tells where it was called", arguments: engines)
    func sources(engine: StoreEngine) async {
        let sources = Recorder<ActionSource>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Int.self),
            middleware: Handle<Int, Int> { _, source, _ in
                sources.record(source)
                return .pure()
            },
            engine: engine
        )
        let line = UInt(#line)
        store.dispatch(1)
        store.dispatch(2, info: "with info")
        store.dispatch(3, from: ActionSource(file: "elsewhere", function: "f()", line: 7))
        store.dispatch(DispatchedAction(4))
        store.dispatch(contentsOf: [5, 6])
        store.dispatch(7, file: String("made ") + "at run time", function: "g()", line: 8, info: nil)
        await store.drain()
        let all = sources.all
        #expect(all.map(\.line) == [line + 1, line + 2, 7, line + 4, line + 5, line + 5, 8])
        #expect(all[0].file == "MillraceTests/DispatchTests.swift")
        #expect(all[0].function == "sources(engine:)")
        #expect(all.map(\.info) == [nil, "with info", nil, nil, nil, nil, nil])
        #expect(all[2].file == "elsewhere")
        #expect(all[6].file == "made at run time")
    }

    @Test("actions that are not Sendable are given away, in order, with the place of the call")
    func givenAway() async {
        final class Parcel {
            let number: Int
            init(_ number: Int) { self.number = number }
        }
        let lines = Recorder<UInt>()
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Parcel, [Int]>.reduce { parcel, log in log.append(parcel.number) },
            middleware: Handle<Parcel, [Int]> { _, source, _ in
                lines.record(source.line)
                return .pure()
            },
            engine: .thread(),
            publication: .onDemand
        )
        let line = UInt(#line) + 1
        store.dispatch(contentsOf: [Parcel(1), Parcel(2), Parcel(3)])
        #expect(store.state == [1, 2, 3])
        #expect(lines.all == [line, line, line])
    }

    @Test("contentsOf keeps the order, whatever the sequence is", arguments: engines)
    func sequences(engine: StoreEngine) async {
        for count in [0, 1, 63, 64, 65, 127, 128, 255, 256, 257, 5_000] {
            let store = ReduxStoreBase(
                initialState: [Int](),
                reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
                engine: engine,
                publication: .onDemand
            )
            let expected = Array(0..<count)
            store.dispatch(contentsOf: expected)
            store.dispatch(contentsOf: expected.lazy.map { $0 })
            store.dispatch(contentsOf: ContiguousArray(expected))
            store.dispatch(contentsOf: Set<Int>())
            #expect(store.state == expected + expected + expected)
        }
    }

    @Test("actions of any size and alignment go through unharmed", arguments: engines)
    func layouts(engine: StoreEngine) async {
        func check<Action: Sendable & Equatable>(_ actions: [Action]) {
            let store = ReduxStoreBase(
                initialState: [Action](),
                reducer: Reducer<Action, [Action]>.reduce { action, log in log.append(action) },
                engine: engine,
                publication: .onDemand
            )
            for action in actions { store.dispatch(action) }
            store.dispatch(contentsOf: actions)
            #expect(store.state == actions + actions)
        }
        struct Empty: Sendable, Equatable {}
        struct Large: Sendable, Equatable {
            var words = InlineWords(repeating: 3)
            var number: Int
        }
        check(Array(repeating: Empty(), count: 300))
        check((0..<300).map { UInt8(truncatingIfNeeded: $0) })
        check((0..<300).map { SIMD16<Float>(repeating: Float($0)) })
        check((0..<300).map { "text number \($0) which is too long to be stored inline" })
        check((0..<300).map { Large(number: $0) })
        #expect(MemoryLayout<Large>.size > 4096)
    }

    @Test("an action is destroyed as soon as it is done", arguments: engines)
    func slotsAreEmptied(engine: StoreEngine) async {
        final class Payload: Sendable {}
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(Payload.self),
            engine: engine
        )
        weak var first: Payload?
        do {
            let payload = Payload()
            first = payload
            store.dispatch(payload, info: "an info, too")
        }
        await store.drain()
        #expect(first == nil)
    }

    @Test("actions of a revoked run are dropped and counted, others are not", arguments: engines)
    func revokedRuns(engine: StoreEngine) async {
        let outputs = Recorder<AnyActionHandler<Int>>()
        let run = EffectRun()
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Int, [Int]>.reduce { action, log in log.append(action) },
            middleware: Handle<Int, [Int]> { action, _, _ in
                if action == 2 { run.revoke() }
                return action == 0 ? IO { outputs.record($0) } : .pure()
            },
            engine: engine
        )
        store.dispatch(0)
        await store.drain()
        let output = outputs.all[0].belonging(to: run)
        output.dispatch(1)
        await store.drain()
        store.dispatch(2)
        output.dispatch(3)
        store.dispatch(4)
        await store.drain()
        #expect(store.state == [0, 1, 2, 4])
        #expect(store.metrics.cancelled == 1)
        #expect(store.metrics.offered == 5)
        #expect(store.metrics.pending == 0)
    }

    @Test("an output carries its cause, however late it is used", arguments: engines)
    func causes(engine: StoreEngine) async {
        final class Probe: PipelineProbe {
            let seen = Recorder<ProbedAction>()
            func actionBegan(_ action: ProbedAction) { seen.record(action) }
        }
        let probe = Probe()
        let late = Recorder<AnyActionHandler<String>>()
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: counting(String.self),
            middleware: Handle<String, Int> { action, _, _ in
                switch action {
                case "root": IO { $0.dispatch("child") }
                case "child": IO { late.record($0) }
                default: .pure()
                }
            },
            engine: engine
        )
        store.setProbe(probe)
        store.dispatch("root")
        #expect(await eventually { late.count == 1 })
        store.dispatch("between")
        await store.drain()
        late.all[0].dispatch("grandchild")
        await store.drain()
        let seen = probe.seen.all
        #expect(seen.count == 4)
        let (root, child, between, grandchild) = (seen[0], seen[1], seen[2], seen[3])
        #expect(root.cause == .none)
        #expect(child.cause == ActionCause(parent: root.number, root: root.number))
        #expect(between.cause == .none)
        #expect(grandchild.cause == ActionCause(parent: child.number, root: root.number))
        #expect(seen.map(\.number) == seen.map(\.number).sorted())
    }
}

/// 4 KB and more, by value.
struct InlineWords: Sendable, Equatable {
    typealias Block = (SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>, SIMD64<UInt64>)
    var block0: Block
    var block1: Block

    init(repeating value: UInt64) {
        let words = SIMD64<UInt64>(repeating: value)
        block0 = (words, words, words, words)
        block1 = block0
    }

    static func == (lhs: InlineWords, rhs: InlineWords) -> Bool {
        lhs.block0 == rhs.block0 && lhs.block1 == rhs.block1
    }
}
