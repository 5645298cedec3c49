// SPDX-License-Identifier: Apache-2.0

import Millrace
import TestSupport
import Testing

private typealias Composed = ComposedMiddleware<Int, Int, Int>
private typealias Reader = MiddlewareReader<String, Composed>

@Suite("Conformance: readers")
struct ReaderConformanceTests {
    private let log = Recorder<String>()

    /// A reader that tells when it makes, and what its middleware is asked.
    private func reader(_ name: String) -> Reader {
        let log = log
        return Reader { world in
            log.record("\(name) made for \(world)")
            let part = AnyMiddleware<Int, Int, Int> { action, _, _ in
                log.record("\(name) handle \(action)")
                return IO { _ in log.record("\(name) work") }
            }
            return Composed() <> part
        }
    }

    private func run(_ reader: Reader) -> [String] {
        log.clear()
        reader.inject("w").handle(action: 1, from: .here(), state: { 0 }).run { _ in }
        return log.all
    }

    @Test("A25: every inject builds anew")
    func a25_everyInjectBuildsAnew() {
        let reader = reader("a").lift(
            inputAction: { (text: String) in Int(text) },
            dependencies: { (n: Int) in "\(n)" }
        )
        #expect(log.count == 0)
        _ = reader.inject(1)
        _ = reader.inject(1)
        #expect(log.all == ["a made for 1", "a made for 1"])
    }

    @Test("A25: composed readers inject the same world on both sides")
    func a25_sameWorldOnBothSides() {
        _ = (reader("a") <> reader("b") <> reader("c")).inject("w")
        #expect(log.all == ["a made for w", "b made for w", "c made for w"])
        log.clear()
        _ = MiddlewareReader.zip(reader("a"), reader("b"), with: { $0 <> $1 }).inject("z")
        #expect(log.all == ["a made for z", "b made for z"])
    }

    @Test("A25: flatMap injects twice")
    func a25_flatMapInjectsTwice() {
        let inner = reader("b")
        _ = reader("a").flatMap { _ in inner }.inject("w")
        #expect(log.all == ["a made for w", "b made for w"])
    }

    @Test("A26: identities vanish and composites flatten in builders and in lifted readers")
    func a26_flatteningInBuildersAndReaders() {
        let two = Composed {
            AnyMiddleware<Int, Int, Int> { _, _, _ in .pure() }
            IdentityMiddleware<Int, Int, Int>().eraseToAnyMiddleware()
            AnyMiddleware<Int, Int, Int> { _, _, _ in .pure() }
        }
        #expect(two.count == 2)
        #expect(
            Composed {
                two.eraseToAnyMiddleware(); two
            }.count == 4
        )
        let lifted: Reader = Reader.pure(two).lift(state: { (state: Int) in state + 1 })
        #expect(lifted.inject("w").count == 2)
        let none: Reader = Reader.identity.lift(state: { (state: Int) in state + 1 })
        #expect(none.inject("w").count == 0)
    }

    @Test("A33: associativity and two-sided identity of readers")
    func a33_lawsOfReaders() {
        let (a, b, c) = (reader("a"), reader("b"), reader("c"))
        let expected = run(a <> (b <> c))
        #expect(expected.count == 9)
        #expect(run((a <> b) <> c) == expected)
        #expect(run(.identity <> a) == run(a))
        #expect(run(a <> .identity) == run(a))
        let chains = ((a <> b) <> c, a <> (b <> c))
        #expect(run(chains.0.mapMiddleware { Composed() <> $0 }) == run(chains.1.mapMiddleware { Composed() <> $0 }))
    }

    @Test("A24: a bridge and a state machine keep the primary dispatcher")
    func a24_sourceThroughRouting() async {
        let sources = Recorder<ActionSource>()
        let store = ReduxStoreBase<Int, Int>(initialState: 0, engine: .caller) {
            Reducer<Int, Int>.reduce { action, state in state = action }
            AnyMiddleware<Int, Int, Int> { _, dispatcher, _ in
                sources.record(dispatcher)
                return .pure()
            }
            BridgeMiddleware<Int, Int, Int>().bridge { $0 == 1 ? 2 : nil }
            StateMachineMiddleware<Int, Int, Int>().when(from: 1, to: 2, dispatch: 3)
        }
        let here = ActionSource.here(info: "here")
        store.dispatch(1, from: here)
        await store.drain()
        #expect(store.state == 3)
        #expect(sources.all.map(\.file) == [here.file, here.file, here.file])
        #expect(sources.all.map(\.function) == [here.function, here.function, here.function])
        #expect(sources.all.map(\.line) == [here.line, here.line, here.line])
        #expect(sources.all.allSatisfy { $0.info?.hasPrefix("here") == true })
    }
}
