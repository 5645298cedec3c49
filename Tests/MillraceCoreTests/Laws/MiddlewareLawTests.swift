// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

private typealias Erased = AnyMiddleware<AuthAction, AuthAction, AuthState>
private typealias Composed = ComposedMiddleware<AuthAction, AuthAction, AuthState>

/// What a middleware does, seen from outside: its record and what it dispatches.
private struct Subject {
    let log = Recorder<String>()
    var random: SplitMix64

    mutating func middleware() -> Erased {
        let name = "m\(Int.random(in: 0..<1000, using: &random))"
        let output = Bool.random(using: &random) ? AuthAction.logIn(name) : nil
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return IdentityMiddleware().eraseToAnyMiddleware()
        case 1: return LateSpy(name: name, log: log, output: output).eraseToAnyMiddleware()
        case 2: return (middleware() <> middleware()).eraseToAnyMiddleware()
        case 3: return (Composed() <> middleware() <> middleware()).eraseToAnyMiddleware()
        default: return Spy(name: name, log: log, output: output).eraseToAnyMiddleware()
        }
    }

    /// nil if both do the same with the same action, bound or not.
    func difference<Input: Sendable, Output: Equatable & Sendable, State: Sendable>(
        _ lhs: some MiddlewareProtocol<Input, Output, State>,
        _ rhs: some MiddlewareProtocol<Input, Output, State>,
        action: Input,
        state: State
    ) -> String? {
        let traces = [
            trace(lhs, action, state), trace(lhs.bound(to: { state }), action, state),
            trace(rhs, action, state), trace(rhs.bound(to: { state }), action, state),
        ]
        return Set(traces).count == 1 ? nil : "\(traces)"
    }

    private func trace<Input: Sendable, Output: Equatable & Sendable, State: Sendable>(
        _ middleware: some MiddlewareProtocol<Input, Output, State>,
        _ action: Input,
        _ state: State
    ) -> [String] {
        let sink = SinkSpy<Output>()
        log.clear()
        cycle(middleware, action, state: Shared(state), output: sink)
        return log.all + sink.log.all.map { "\($0.action) \($0.source) \($0.cause)" }
    }
}

@Suite("Laws of middlewares")
struct MiddlewareLawTests {
    private func check(_ law: (inout Subject) -> String?) -> Counterexample? {
        firstCounterexample { random in
            var subject = Subject(random: random)
            return law(&subject)
        }
    }

    @Test("associativity of ComposedMiddleware")
    func composedAssociativity() {
        let counterexample = check { subject in
            let parts = (0..<3).map { _ in Composed() <> subject.middleware() }
            let (left, right) = ((parts[0] <> parts[1]) <> parts[2], parts[0] <> (parts[1] <> parts[2]))
            if left.count != right.count { return "\(left.count) parts are not \(right.count)" }
            return subject.difference(left, right, action: .logOut, state: AuthState())
        }
        #expect(counterexample == nil)
    }

    @Test("associativity of Chain, and a Chain does what a ComposedMiddleware does")
    func chainAssociativity() {
        let counterexample = check { subject in
            let (a, b, c) = (subject.middleware(), subject.middleware(), subject.middleware())
            let composed: Composed = a <> b <> c
            return subject.difference((a <> b) <> c, a <> (b <> c), action: .logOut, state: AuthState())
                ?? subject.difference(a <> b <> c, composed, action: .logOut, state: AuthState())
        }
        #expect(counterexample == nil)
    }

    @Test("identity on both sides")
    func identity() {
        let counterexample = check { subject in
            let a = subject.middleware()
            let composed = Composed() <> a
            let none = IdentityMiddleware<AuthAction, AuthAction, AuthState>()
            return subject.difference(composed <> .identity, composed, action: .logOut, state: AuthState())
                ?? subject.difference(.identity <> composed, composed, action: .logOut, state: AuthState())
                ?? subject.difference(a <> none, a, action: .logOut, state: AuthState())
                ?? subject.difference(none <> a, a, action: .logOut, state: AuthState())
        }
        #expect(counterexample == nil)
    }

    @Test("erasing, and naming, changes nothing")
    func erasing() {
        let counterexample = check { subject in
            let (a, b) = (subject.middleware(), subject.middleware())
            return subject.difference(a <> b, Erased(a <> b), action: .logOut, state: AuthState())
                ?? subject.difference((a <> b).named("x"), a <> b, action: .logOut, state: AuthState())
        }
        #expect(counterexample == nil)
    }

    @Test("lifting preserves composition and identity")
    func lifting() {
        let check = LiftCheck()
        let counterexample = self.check { subject in
            let (a, b) = (subject.middleware(), subject.middleware())
            let composed: Composed = a <> b
            let action = Bool.random(using: &subject.random) ? AppAction.auth(.logOut) : .tick
            let left = a.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
            let right = b.lift(inputAction: check.input, outputAction: check.output, state: check.state)
            let whole = composed.lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
            let chain = (a <> b).lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
            return subject.difference(chain, left <> right, action: action, state: AppState())
                ?? subject.difference(whole, left <> right, action: action, state: AppState())
        }
        #expect(counterexample == nil)
    }
}
