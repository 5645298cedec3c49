// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Leaf = Spy<Int, String, Int>
private typealias Late = LateSpy<Int, String, Int>
private typealias Erased = AnyMiddleware<Int, String, Int>
private typealias Identity = IdentityMiddleware<Int, String, Int>
private typealias Composed = ComposedMiddleware<Int, String, Int>

/// Most of this is proved by compiling: each expression has one meaning.
@Suite("<> of middlewares")
struct MiddlewareComposeTests {
    private let log = Recorder<String>()
    private var leaf: Leaf { Leaf(name: "leaf", log: log) }
    private var late: Late { Late(name: "late", log: log) }
    private var erased: Erased { leaf.eraseToAnyMiddleware() }
    private var composed: Composed { leaf <> late }

    @Test("two concrete ones make a Chain, which knows both")
    func chains() {
        #expect(type(of: leaf <> late) == Chain<Leaf, Late>.self)
        #expect(type(of: leaf <> late <> leaf) == Chain<Chain<Leaf, Late>, Leaf>.self)
        #expect(type(of: Identity() <> leaf) == Chain<Identity, Leaf>.self)
        #expect(type(of: leaf <> IdentityMiddleware()) == Chain<Leaf, Identity>.self)
        #expect(type(of: erased <> leaf) == Chain<Erased, Leaf>.self)
        #expect(type(of: erased <> erased) == Chain<Erased, Erased>.self)
        #expect(type(of: leaf.named("x") <> leaf) == Chain<NamedMiddleware<Leaf>, Leaf>.self)
    }

    @Test("with a ComposedMiddleware on the left it is one, on the right alone a Chain")
    func composites() {
        #expect(type(of: composed <> leaf) == Composed.self)
        #expect(type(of: composed <> composed) == Composed.self)
        #expect(type(of: composed <> erased) == Composed.self)
        #expect(type(of: composed <> Identity()) == Composed.self)
        #expect(type(of: composed <> (leaf <> late)) == Composed.self)
        #expect(type(of: composed <> leaf <> late) == Composed.self)
        #expect(type(of: leaf <> composed) == Chain<Leaf, Composed>.self)
        #expect(type(of: erased <> composed) == Chain<Erased, Composed>.self)
        #expect(type(of: Identity() <> composed) == Chain<Identity, Composed>.self)
        #expect(type(of: leaf <> composed <> late) == Chain<Chain<Leaf, Composed>, Late>.self)
    }

    @Test("where a ComposedMiddleware is asked for it is one")
    func annotated() {
        let two: Composed = leaf <> late
        let three: Composed = leaf <> late <> leaf
        let six: Composed = leaf <> late <> erased <> Identity() <> composed <> IdentityMiddleware() <> leaf
        let empty: Composed = .identity <> .identity
        let identities: Composed = Identity() <> Identity()
        let one: Composed = .identity <> leaf
        let erasedOnes: Composed = erased <> erased
        let grouped: Composed = (leaf <> late) <> (leaf <> late)
        let right: Composed = leaf <> (late <> (leaf <> late))
        let composites: Composed = leaf <> composed <> (erased <> composed) <> (composed <> leaf)
        #expect([grouped, right, composites].map(\.count) == [4, 4, 9])
        #expect([two, three, six, empty, identities, one, erasedOnes].map(\.count) == [2, 3, 6, 0, 0, 1, 2])
        var grown = Composed()
        grown = grown <> leaf
        grown = late <> grown
        #expect(grown.count == 2)
        func take(_ composed: Composed) -> Int { composed.count }
        #expect(take(leaf <> late <> leaf <> late) == 4)
        #expect([composed, composed].reduce(.identity, <>).count == 4)
        #expect([erased, erased].reduce(Composed()) { $0 <> $1 }.count == 2)
    }

    @Test("many in one expression are compiled, and run in order")
    func long() {
        let chain = leaf <> late <> leaf <> late <> leaf <> late <> leaf <> late <> leaf <> late <> leaf <> late
        let composed: Composed =
            leaf <> late <> leaf <> late <> leaf <> late <> leaf <> late <> leaf <> late <> leaf <> late
        cycle(chain, 1, state: Shared(0), output: SinkSpy())
        let ofChain = log.all
        log.clear()
        cycle(composed, 1, state: Shared(0), output: SinkSpy())
        #expect(ofChain == log.all)
        #expect(ofChain.count == 18)
    }
}
