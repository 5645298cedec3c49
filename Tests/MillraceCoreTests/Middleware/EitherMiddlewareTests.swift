// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("EitherMiddleware")
struct EitherMiddlewareTests {
    private typealias Either = EitherMiddleware<LiftCheck.Part, IdentityMiddleware<AuthAction, AuthAction, AuthState>>

    @Test("it is the one that is there, after lifting, binding and naming as well")
    func passesEverythingOn() {
        let check = LiftCheck()
        check.all(
            Either.first(check.part).named("x")
                .lift(inputAction: check.input, outputAction: check.output, state: \AppState.auth)
        )
        let spy = BoundSpy()
        var second = EitherMiddleware<IdentityMiddleware<Int, Int, Int>, BoundSpy>.second(spy)
        second.bind(MiddlewareBinding(state: { 1 }))
        #expect(spy.bindings.count == 1)
    }

    @Test("an identity that is there vanishes when erased, and has no afterReduce")
    func identityVanishes() {
        let none = Either.second(IdentityMiddleware())
        #expect(!none.hasAfterReduce)
        #expect((ComposedMiddleware() <> none).count == 0)
        #expect((ComposedMiddleware() <> Either.first(LiftCheck().part)).count == 2)
    }

    @Test("a probe is passed on")
    func probe() {
        let probe = ProbeSpy(log: Recorder())
        let middleware = EitherMiddleware<
            IdentityMiddleware<Int, Int, Int>, NamedMiddleware<IdentityMiddleware<Int, Int, Int>>
        >.second(IdentityMiddleware().named("inner"))
        cycle(middleware, 1, state: Shared(0), probe: probe, output: SinkSpy())
        #expect(probe.log.all == ["began inner", "ended inner"])
    }
}
