// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("identity, ignore, absurd")
struct FunctionsTests {
    @Test("identity returns its argument")
    func identityFunction() {
        #expect(identity(7) == 7)
        #expect([1, nil, 3].compactMap(identity) == [1, 3])
    }

    @Test("a middleware that needs no state and never dispatches can be lifted with them")
    func lifting() {
        let log = Recorder<String>()
        let spy = Spy<AppAction, Never, Void>(name: "spy", log: log)
        let lifted: AnyMiddleware<AppAction, AppAction, AppState> =
            spy.lift(inputAction: identity, outputAction: absurd, state: ignore).eraseToAnyMiddleware()
        cycle(lifted, .tick, state: Shared(AppState()), output: SinkSpy())
        #expect(log.all == ["spy handle tick 1 ()"])
    }
}
