// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceInstrumentation
import TestSupport
import Testing

@Suite("Kinds of actions")
struct ActionKindsTests {
    enum Single { case only }
    enum SinglePayload { case only(String) }
    indirect enum Tree: Sendable { case leaf(Int), node(Tree, Tree) }
    enum Either<First: Sendable, Second: Sendable>: Sendable { case first(First), second(Second), neither }
    enum Large: CaseIterable { case a, b, c, d, e, f, g, h }
    class Base: @unchecked Sendable {}
    protocol Anything: Sendable {}
    struct One: Anything {}
    struct Two: Anything {}
    protocol Holder<Value>: Sendable { associatedtype Value: Sendable }
    struct Plain: Holder { typealias Value = Int }
    struct Boxed<Value: Sendable>: Holder { let value: [Value] }
    final class Counted: Holder, Sendable { typealias Value = Int }
    protocol Keeper<Value>: Sendable { associatedtype Value: Holder }
    struct Safe: Keeper { typealias Value = Plain }
    struct Vault: Keeper { typealias Value = Plain }
    protocol Talker<Value>: AnyObject, Sendable { associatedtype Value: Sendable }
    final class Loud: Talker { typealias Value = Int }
    final class Quiet: Talker { typealias Value = Int }

    private func kinds<Action: Sendable>(
        _ actions: [Action],
        _ kinds: ActionKinds<Action> = .cases
    ) async -> [String] {
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Action.self), engine: .caller)
        let instrumentation = Instrumentation(store, kinds: kinds)
        for action in actions { store.dispatch(DispatchedAction(action)) }
        return await instrumentation.snapshot().kinds.map { "\($0.name) \($0.count)" }
    }

    @Test("cases of enumerations of every shape, by name")
    func enumerations() async {
        #expect(
            await kinds([Job.small, .large(1), .text("t"), .stop, .large(2)]) == [
                "small 1", "large 2", "text 1", "stop 1",
            ]
        )
        #expect(await kinds([Single.only, .only]) == ["only 2"])
        #expect(await kinds([SinglePayload.only("a")]) == ["only 1"])
        #expect(await kinds([Tree.leaf(1), .node(.leaf(1), .leaf(2))]) == ["leaf 1", "node 1"])
        #expect(
            await kinds([Either<Int, String>.neither, .second("b"), .first(1)]) == ["neither 1", "second 1", "first 1"]
        )
        #expect(await kinds(Large.allCases) == ["a 1", "b 1", "c 1", "d 1", "e 1", "f 1", "g 1", "h 1"])
        #expect(await kinds([Int?.some(1), nil, 2]) == ["some 2", "none 1"])
        #expect(await kinds([true, false].map { $0 ? Result<Int, Never>.success(1) : .success(2) }) == ["success 2"])
    }

    @Test("what is no enumeration is of one kind; of a protocol the types count")
    func others() async {
        #expect(await kinds([1, 2, 3]) == ["Int 3"])
        #expect(await kinds(["a"]) == ["String 1"])
        #expect(await kinds([Base()]) == ["Base 1"])
        let values: [any Anything] = [One(), Two(), One()]
        #expect(await kinds(values) == ["One 2", "Two 1"])
    }

    @Test("of a protocol with constraints the types count, too")
    func constrained() async {
        let values: [any Holder<Int>] = [Plain(), Boxed(value: [1]), Counted(), Plain()]
        #expect(await kinds(values) == ["Plain 2", "Boxed<Int> 1", "Counted 1"])
        let keepers: [any Keeper<Plain>] = [Safe(), Vault(), Vault()]
        #expect(await kinds(keepers) == ["Safe 1", "Vault 2"])
        let talkers: [any Talker<Int>] = [Loud(), Quiet(), Loud()]
        #expect(await kinds(talkers) == ["Loud 2", "Quiet 1"])
        let both: [any Holder<Int> & Anything] = [Both(), Other(), Other()]
        #expect(await kinds(both) == ["Both 1", "Other 2"])
        // The kind of an optional, and of a case that holds one, is the case.
        let optionals: [(any Holder<Int>)?] = [Plain(), nil]
        #expect(await kinds(optionals) == ["some 1", "none 1"])
        #expect(await kinds([Carrying.one(Plain()), .two(Counted()), .one(Counted())]) == ["one 2", "two 1"])
    }

    @Test("of metatypes of a protocol the types count")
    func metatypes() async {
        let types: [any Anything.Type] = [One.self, Two.self, One.self]
        #expect(await kinds(types) == ["One.Type 2", "Two.Type 1"])
        let holders: [any Holder<Int>.Type] = [Plain.self, Counted.self]
        #expect(await kinds(holders) == ["Plain.Type 1", "Counted.Type 1"])
    }

    struct Both: Holder, Anything { typealias Value = Int }
    struct Other: Holder, Anything { typealias Value = Int }
    enum Carrying: Sendable { case one(any Holder<Int>), two(any Holder<Int>) }

    @Test("kinds of one's own; what has no name is other")
    func closures() async {
        #expect(
            await kinds([1, 2, 3, 4, -1], .named(["odd", "even"]) { $0 < 0 ? 7 : ($0 + 1) % 2 }) == [
                "odd 2", "even 2", "other 1",
            ]
        )
    }

    @Test("64 kinds have histograms, the rest share one")
    func many() async throws {
        let names = (0..<200).map { "kind \($0)" }
        let store = ReduxStoreBase(initialState: 0, reducer: counting(Int.self), engine: .caller)
        let instrumentation = Instrumentation(store, kinds: .named(names) { $0 })
        for action in 0..<200 { store.dispatch(action) }
        for action in 0..<200 { store.dispatch(action) }
        let snapshot = await instrumentation.snapshot()
        #expect(snapshot.kinds.count == 65)
        #expect(snapshot.kinds.prefix(64).map(\.name) == Array(names.prefix(64)))
        #expect(snapshot.kinds.last?.name == "other")
        #expect(snapshot.kind("other").count == 2 * 136)
        #expect(snapshot.memory <= snapshot.mostMemory)
    }
}
