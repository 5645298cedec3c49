// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

/// Implements nothing but the one form that is required.
private final class Handler: ActionHandler {
    let log = Recorder<DispatchedAction<AppAction>>()

    func dispatch(_ dispatchedAction: sending DispatchedAction<AppAction>) {
        log.record(dispatchedAction)
    }
}

/// As SwiftRex code has it: without `sending`, and with a state of its own.
private final class PlainHandler: ActionHandler {
    var actions: [DispatchedAction<Int>] = []

    func dispatch(_ dispatchedAction: DispatchedAction<Int>) {
        actions.append(dispatchedAction)
    }
}

@Suite("ActionHandler")
struct ActionHandlerTests {
    private let handler = Handler()

    @Test("the source is the call, if none is given")
    func callSource() {
        handler.dispatch(.tick)
        let line: UInt = #line
        let source = ActionSource(file: #fileID, function: #function, line: line - 1)
        #expect(handler.log.all == [DispatchedAction(.tick, dispatcher: source)])
    }

    @Test("an info travels with the source")
    func info() {
        handler.dispatch(.tick, info: "why")
        #expect(handler.log.all.map(\.dispatcher.info) == ["why"])
    }

    @Test("the source may be given as Strings")
    func strings() {
        let file = "f", function = "g"
        handler.dispatch(.tick, file: file, function: function, line: 3, info: nil)
        let source = ActionSource(file: file, function: function, line: 3)
        #expect(handler.log.all == [DispatchedAction(.tick, dispatcher: source)])
    }

    @Test("the source may be someone else's")
    func fromSource() {
        handler.dispatch(.tick, from: .b)
        #expect(handler.log.all == [DispatchedAction(.tick, dispatcher: .b)])
    }

    @Test("contramap changes the action and keeps the source")
    func contramap() {
        let auth = handler.contramap(AppAction.auth)
        auth.dispatch(.logOut, from: .b)
        let line: UInt = #line + 1
        auth.contramap(AuthAction.logIn).dispatch("ada")
        let source = ActionSource(file: #fileID, function: #function, line: line)
        #expect(
            handler.log.all == [
                DispatchedAction(.auth(.logOut), dispatcher: .b),
                DispatchedAction(.auth(.logIn("ada")), dispatcher: source),
            ]
        )
    }

    @Test("erasing keeps action and source")
    func erase() {
        handler.eraseToAnyActionHandler().dispatch(.tick, from: .a)
        #expect(handler.log.all == [DispatchedAction(.tick, dispatcher: .a)])
    }

    @Test("a handler without `sending` conforms")
    func plain() {
        let plain = PlainHandler()
        plain.dispatch(1, from: .a)
        plain.eraseToAnyActionHandler().dispatch(2, from: .b)
        #expect(plain.actions == [DispatchedAction(1, dispatcher: .a), DispatchedAction(2, dispatcher: .b)])
    }

    @Test("usable as `any ActionHandler<…>` and `some ActionHandler<…>`")
    func existential() {
        func send(_ target: some ActionHandler<AppAction>) { target.dispatch(.tick, from: .a) }
        let any: any ActionHandler<AppAction> = handler
        any.dispatch(DispatchedAction(.tick, dispatcher: .a))
        send(any)
        #expect(handler.log.count == 2)
    }
}
