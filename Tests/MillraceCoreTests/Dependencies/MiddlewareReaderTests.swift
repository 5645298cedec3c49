// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Part = Spy<AuthAction, AuthAction, AuthState>
private typealias Reader = MiddlewareReader<Int, Part>

/// A reader of a client's own.
private struct OwnReader: MiddlewareReaderProtocol {
    let inject: (Int) -> Part

    init(inject: @escaping @Sendable (Int) -> Part) { self.inject = inject }
}

@Suite("MiddlewareReader")
struct MiddlewareReaderTests {
    private let log = Recorder<String>()

    /// A reader that tells what it was given, and makes a spy of that name.
    private func reader(_ name: String) -> Reader {
        let log = log
        return Reader { number in
            log.record("\(name)(\(number))")
            return Part(name: "\(name)\(number)", log: log)
        }
    }

    private func names(_ middleware: some MiddlewareProtocol<AuthAction, AuthAction, AuthState>) -> [String] {
        log.clear()
        _ = middleware.handle(action: .logOut, from: .a, state: { AuthState() })
        return log.all.map { String($0.prefix { $0 != " " }) }
    }

    @Test("nothing is made before inject, and each inject makes anew")
    func everyInjectBuildsAnew() {
        let reader = reader("a")
        let all = reader.mapMiddleware { $0.named("x") }.contramapDependencies { (text: String) in text.count }
        #expect(log.count == 0)
        _ = all.inject("two")
        _ = all.inject("three")
        #expect(log.all == ["a(3)", "a(5)"])
        let classes = MiddlewareReader<Void, BoundSpy> { BoundSpy() }
        #expect(classes.inject(()) !== classes.inject(()))
    }

    @Test("pure gives the same middleware whatever is injected")
    func pure() {
        let spy = BoundSpy()
        let reader = MiddlewareReader<Int, BoundSpy>.pure(spy)
        #expect(reader.inject(1) === spy)
        #expect(reader.inject(2) === spy)
    }

    @Test("a reader is composed with one that is written in place, as a chain and erased")
    func composedInPlace() {
        let log = log
        @Sendable func part(_ name: String) -> Part { Part(name: name, log: log) }
        let chain = reader("a") <> .pure(part("b")) <> .init { part("c\($0)") }
        #expect(names(chain.inject(1)) == ["a1", "b", "c1"])
        let erased: MiddlewareReader<Int, ComposedMiddleware<AuthAction, AuthAction, AuthState>> =
            reader("a") <> .pure(part("b")) <> .init { part("c\($0)") }
        #expect(erased.inject(2).count == 3 && names(erased.inject(2)) == ["a2", "b", "c2"])
        let own: MiddlewareReader<Int, ComposedMiddleware<AuthAction, AuthAction, AuthState>> =
            erased <> .init { ComposedMiddleware() <> part("d\($0)") }
        #expect(names(own.inject(3)) == ["a3", "b", "c3", "d3"])
        // As before: two that have names.
        #expect(names((reader("a") <> reader("b")).inject(4)) == ["a4", "b4"])
    }

    @Test("readers of a client's own are composed in order, as a chain and erased")
    func composedOwn() {
        let log = log
        let own = OwnReader { Part(name: "own\($0)", log: log) }
        #expect(names((reader("a") <> own).inject(1)) == ["a1", "own1"])
        let erased: MiddlewareReader<Int, ComposedMiddleware<AuthAction, AuthAction, AuthState>> = reader("a") <> own
        #expect(erased.inject(2).count == 2 && names(erased.inject(2)) == ["a2", "own2"])
    }

    @Test("contramapDependencies, in both spellings, and dimap")
    func contramapAndDimap() {
        #expect(names(reader("a").contramapDependencies { (world: [Int]) in world[1] }.inject([4, 5])) == ["a5"])
        #expect(names(reader("a").contramapDependecies { (world: [Int]) in world[0] }.inject([4, 5])) == ["a4"])
        let both = reader("a").dimap(
            transformMiddleware: { $0 <> $0 },
            extractOnlyDependenciesNeededForThisMiddleware: { (world: [Int]) in world[0] }
        )
        #expect(names(both.inject([4, 5])) == ["a4", "a4"])
    }

    @Test("flatMap injects twice, outer first")
    func flatMap() {
        let inner = reader("b")
        let log = log
        let middleware = reader("a").flatMap { outer -> Reader in
            log.record("transform \(outer.name)")
            return inner
        }.inject(3)
        #expect(log.all == ["a(3)", "transform a3", "b(3)"])
        #expect(names(middleware) == ["b3"])
    }

    @Test("zip of two, three and ten readers: the same dependencies for all, in written order")
    func zip() {
        let two = MiddlewareReader.zip(reader("a"), reader("b"), with: { a, b in b <> a })
        #expect(names(two.inject(1)) == ["b1", "a1"])
        let three = MiddlewareReader.zip(reader("a"), reader("b").mapMiddleware { $0.named("b") }, reader("c")) {
            $0 <> $1 <> $2
        }
        #expect(names(three.inject(2)) == ["a2", "b2", "c2"])
        let ten = MiddlewareReader.zip(
            reader("a"),
            reader("b"),
            reader("c"),
            reader("d"),
            reader("e"),
            reader("f"),
            reader("g"),
            reader("h"),
            reader("i"),
            reader("j"),
            with: { a, b, c, d, e, f, g, h, i, j in
                var all = ComposedMiddleware<AuthAction, AuthAction, AuthState>()
                for part in [a, b, c, d, e, f, g, h, i, j] { all.append(middleware: part) }
                return all
            }
        )
        log.clear()
        let middleware = ten.inject(9)
        #expect(log.all == "abcdefghij".map { "\($0)(9)" })
        #expect(names(middleware) == "abcdefghij".map { "\($0)9" })
    }

    @Test("zip under a type that only says the dependencies makes what the closure makes")
    func zipToAnotherType() {
        typealias Nothing = IdentityMiddleware<AuthAction, AuthAction, AuthState>
        let chain = MiddlewareReader<Int, Nothing>.zip(reader("a"), reader("b"), with: { a, b in b <> a })
        #expect(names(chain.inject(1)) == ["b1", "a1"])
        let same = Reader.zip(reader("a"), reader("b"), with: { _, b in b })
        #expect(names(same.inject(2)) == ["b2"])
    }

    /// A reader that somebody made without the library's.
    private struct OwnReader: MiddlewareReaderProtocol {
        let inject: (Int) -> Part
    }

    @Test("a reader of another type, with a plain closure, can all that those of the library can")
    func ownReader() {
        let own = OwnReader(inject: reader("own").inject)
        #expect(names(own.inject(1)) == ["own1"])
        let lifted = own.lift(
            state: { (state: AppState) in state.auth },
            dependencies: { (text: String) in text.count }
        )
        log.clear()
        let middleware = lifted.inject("four")
        #expect(log.all == ["own(4)"])
        log.clear()
        _ = middleware.handle(action: .logOut, from: .a, state: { AppState() })
        #expect(log.all.map { $0.prefix { $0 != " " } } == ["own4"])
        let erased: MiddlewareReader<Int, AnyMiddleware<AuthAction, AuthAction, AppState>> =
            own.lift(state: { (state: AppState) in state.auth })
        log.clear()
        _ = erased.inject(2).handle(action: .logOut, from: .a, state: { AppState() })
        #expect(log.all.map { $0.prefix { $0 != " " } } == ["own(2)", "own2"])
        #expect(names((own <> OwnReader.pure(Part(name: "pure", log: log))).inject(3)) == ["own3", "pure"])
    }

    @Test("<> gives both the same dependencies and keeps the order; what is asked for decides the type")
    func compose() {
        let chain: MiddlewareReader<Int, Chain<Part, NamedMiddleware<Part>>> =
            reader("a") <> reader("b").mapMiddleware { $0.named("b") }
        #expect(names(chain.inject(1)) == ["a1", "b1"])
        let composed: MiddlewareReader<Int, ComposedMiddleware<AuthAction, AuthAction, AuthState>> =
            reader("a") <> reader("b") <> reader("c")
        #expect(composed.inject(1).count == 3)
        let appended = composed <> composed
        #expect(appended.inject(1).count == 6)
        log.clear()
        let middleware = composed.inject(4)
        #expect(log.all == ["a(4)", "b(4)", "c(4)"])
        #expect(names(middleware) == ["a4", "b4", "c4"])
    }

    @Test("identity is of the reader's type where its middleware is a Monoid, else a reader of an IdentityMiddleware")
    func identity() {
        typealias Composed = ComposedMiddleware<AuthAction, AuthAction, AuthState>
        let none = MiddlewareReader<Int, Composed>.identity
        #expect(none.inject(1).count == 0)
        let nothing = Reader.identity
        #expect(nothing.inject(1) == IdentityMiddleware())
    }
}
