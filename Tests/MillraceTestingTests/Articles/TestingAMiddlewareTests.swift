// SPDX-License-Identifier: Apache-2.0

// The code of the article "Testing a middleware" (scripts/readme-check.sh compares them).

import Millrace
import MillraceEffects
import MillraceTesting
import Testing

private enum OrderAction: Sendable, Equatable {
    case ordered(cents: Int)
    case large(cents: Int)
    case reminded
}

private struct Shop: Sendable {
    var limit = 10_000
}

private struct SpotLargeOrders: MiddlewareProtocol {
    func handle(action: OrderAction, from: ActionSource, state: @escaping GetState<Shop>) -> IO<OrderAction> {
        guard case .ordered(let cents) = action, cents >= state().limit else { return .pure() }
        return IO { output in output.dispatch(.large(cents: cents)) }
    }
}

private let reminder = SimpleEffectMiddleware<OrderAction, Shop>.onAction { action, _, _ in
    guard case .ordered = action else { return .doNothing }
    return .just(.reminded).delay(for: .seconds(3600)).withToken("reminder")
}

@Suite("Article: Testing a middleware")
struct TestingAMiddlewareTests {
    @Test("what it dispatches")
    func dispatches() {
        let probe = MiddlewareProbe(SpotLargeOrders(), state: Shop())
        #expect(probe.send(.ordered(cents: 500)).isEmpty)
        #expect(probe.send(.ordered(cents: 20_000)).map(\.action) == [.large(cents: 20_000)])

        probe.state.limit = 100
        #expect(probe.send(.ordered(cents: 500)).map(\.action) == [.large(cents: 500)])
    }

    @Test("time")
    func time() {
        let probe = MiddlewareProbe(reminder, state: Shop())
        probe.send(.ordered(cents: 500))
        #expect(probe.runningEffects == ["reminder"])
        #expect(probe.advance(by: .seconds(3600)).map(\.action) == [.reminded])
    }

    @Test("the state before and after")
    func reducing() {
        let probe = MiddlewareProbe(SpotLargeOrders(), state: Shop(limit: 100))
        let outputs = probe.send(.ordered(cents: 500)) { $0.limit = 1_000 }  // the change comes after `handle`
        #expect(outputs.map(\.action) == [.large(cents: 500)])
        #expect(outputs.first?.dispatcher.function == "handle(action:from:state:)")
    }
}
