// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import Testing

@Suite("DispatchedAction")
struct DispatchedActionTests {
    @Test("keeps the source it is given")
    func givenSource() {
        let dispatched = DispatchedAction("x", dispatcher: .a)
        #expect(dispatched.action == "x")
        #expect(dispatched.dispatcher == .a)
    }

    @Test("its source is the call, if none is given")
    func callSource() {
        let dispatched = DispatchedAction(1)
        let line: UInt = #line
        #expect(dispatched.dispatcher == ActionSource(file: #fileID, function: #function, line: line - 1))
        #expect(DispatchedAction(1, info: "why").dispatcher.info == "why")
    }

    @Test("its source may be given as Strings")
    func stringSource() {
        let file = "f", function = "g"
        let dispatched = DispatchedAction(1, file: file, function: function, line: 2, info: "i")
        #expect(dispatched.dispatcher == ActionSource(file: file, function: function, line: 2, info: "i"))
    }

    @Test("map changes the action and keeps the source")
    func map() {
        let mapped = DispatchedAction(41, dispatcher: .a).map { "\($0 + 1)" }
        #expect(mapped == DispatchedAction("42", dispatcher: .a))
    }

    @Test("compactMap keeps the source, or is nil")
    func compactMap() {
        let dispatched = DispatchedAction("41", dispatcher: .a)
        #expect(dispatched.compactMap(Int.init) == DispatchedAction(41, dispatcher: .a))
        #expect(DispatchedAction("x", dispatcher: .a).compactMap(Int.init) == nil)
    }

    @Test("equality and hash include the source")
    func equality() {
        #expect(DispatchedAction(1, dispatcher: .a) == DispatchedAction(1, dispatcher: .a))
        #expect(DispatchedAction(1, dispatcher: .a) != DispatchedAction(1, dispatcher: .b))
        #expect(DispatchedAction(1, dispatcher: .a) != DispatchedAction(2, dispatcher: .a))
        #expect(Set([DispatchedAction(1, dispatcher: .a), DispatchedAction(1, dispatcher: .b)]).count == 2)
    }

    @Test("the same after coding and decoding, action and source")
    func coding() throws {
        let dispatched = DispatchedAction(AuthAction.logIn("ada"), dispatcher: .b)
        let data = try JSONEncoder().encode(dispatched)
        #expect(try JSONDecoder().decode(DispatchedAction<AuthAction>.self, from: data) == dispatched)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(object?.keys.sorted() == ["action", "dispatcher"])
    }

    @Test("is Sendable when the action is")
    func sendable() async {
        let dispatched = DispatchedAction(7, dispatcher: .a)
        let copy = await Task.detached { dispatched }.value
        #expect(copy == dispatched)
    }
}
