// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Erased = AnyMiddleware<AuthAction, AuthAction, AuthState>
private typealias Composed = ComposedMiddleware<AuthAction, AuthAction, AuthState>
private typealias Reader = MiddlewareReader<Int, Composed>

/// What a reader does, seen from outside: who is given what, and what the middleware that comes out does.
private struct Subject {
    let log = Recorder<String>()
    var random: SplitMix64

    mutating func name() -> String { "m\(Int.random(in: 0..<1000, using: &random))" }

    mutating func reader() -> Reader {
        let (log, name) = (log, name())
        let output = Bool.random(using: &random) ? AuthAction.logIn(name) : nil
        return Reader { number in
            log.record("\(name) injected \(number)")
            return Composed() <> Spy(name: "\(name)-\(number)", log: log, output: output)
        }
    }

    /// Puts a middleware of its own after the one it is given.
    mutating func transform() -> @Sendable (Composed) -> Composed {
        let part = Spy<AuthAction, AuthAction, AuthState>(name: name(), log: log)
        return { $0 <> part }
    }

    /// Makes a reader of what it is given, which adds what it injects.
    mutating func kleisli() -> @Sendable (Composed) -> Reader {
        let next = reader()
        return { middleware in
            nonisolated(unsafe) let middleware = middleware
            return next.mapMiddleware { middleware <> $0 }
        }
    }

    func difference(_ lhs: Reader, _ rhs: Reader) -> String? {
        let traces = [trace(lhs), trace(rhs)]
        return traces[0] == traces[1] ? nil : "\(traces)"
    }

    private func trace(_ reader: Reader) -> [String] {
        let sink = SinkSpy<AuthAction>()
        log.clear()
        cycle(reader.inject(3), .logOut, state: Shared(AuthState()), output: sink)
        return log.all + sink.log.all.map { "\($0.action)" }
    }
}

@Suite("Laws of readers")
struct MiddlewareReaderLawTests {
    private func check(_ law: (inout Subject) -> String?) {
        let counterexample = firstCounterexample { random in
            var subject = Subject(random: random)
            return law(&subject)
        }
        #expect(counterexample == nil)
    }

    @Test("a monoid")
    func monoid() {
        check { subject in
            let (a, b, c) = (subject.reader(), subject.reader(), subject.reader())
            return subject.difference((a <> b) <> c, a <> (b <> c))
                ?? subject.difference(.identity <> a, a)
                ?? subject.difference(a <> .identity, a)
        }
    }

    @Test("a functor of the middleware, and a contravariant one of the dependencies")
    func functors() {
        check { subject in
            let reader = subject.reader()
            let (f, g) = (subject.transform(), subject.transform())
            return subject.difference(reader.mapMiddleware { $0 }, reader)
                ?? subject.difference(reader.mapMiddleware(f).mapMiddleware(g), reader.mapMiddleware { g(f($0)) })
                ?? subject.difference(reader.contramapDependencies { $0 }, reader)
                ?? subject.difference(
                    reader.contramapDependencies { $0 + 1 }.contramapDependencies { $0 * 2 },
                    reader.contramapDependencies { $0 * 2 + 1 }
                )
                ?? subject.difference(
                    reader.dimap(
                        transformMiddleware: f,
                        extractOnlyDependenciesNeededForThisMiddleware: { $0 + 1 }
                    ),
                    reader.contramapDependencies { $0 + 1 }.mapMiddleware(f)
                )
        }
    }

    @Test("a monad")
    func monad() {
        check { subject in
            let reader = subject.reader()
            let (f, g) = (subject.kleisli(), subject.kleisli())
            let value = subject.transform()(Composed())
            return subject.difference(Reader.pure(value).flatMap(f), f(value))
                ?? subject.difference(reader.flatMap(Reader.pure), reader)
                ?? subject.difference(reader.flatMap(f).flatMap(g), reader.flatMap { f($0).flatMap(g) })
        }
    }

    @Test("zip is composition, and lifting preserves composition")
    func zipAndLift() {
        check { subject in
            let (a, b) = (subject.reader(), subject.reader())
            let lift: @Sendable (Reader) -> Reader = {
                $0.lift(inputAction: { $0 }, outputAction: { $0 }, state: { $0 }, dependencies: { $0 + 1 })
            }
            return subject.difference(Reader.zip(a, b, with: { $0 <> $1 }), a <> b)
                ?? subject.difference(lift(a <> b), lift(a) <> lift(b))
        }
    }
}
