// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import Testing

@Suite("ElementIDAction and ElementIndexAction")
struct ElementActionTests {
    @Test("are Hashable by id and action, Identifiable by the id")
    func equality() {
        let a = ElementIDAction(id: 1, action: "x")
        #expect(a == ElementIDAction(id: 1, action: "x"))
        #expect(a != ElementIDAction(id: 2, action: "x") && a != ElementIDAction(id: 1, action: "y"))
        #expect(Set([a, a, ElementIDAction(id: 2, action: "x")]).count == 2)
        #expect(a.id == 1)
        let b = ElementIndexAction(index: 1, action: "x")
        #expect(b == ElementIndexAction(index: 1, action: "x") && b != ElementIndexAction(index: 2, action: "x"))
        #expect(Set([b, b, ElementIndexAction(index: 1, action: "y")]).count == 2)
    }

    @Test("are coded under the names of their properties")
    func coding() throws {
        let a = try JSONDecoder().decode(
            ElementIDAction<String, Int>.self,
            from: Data(#"{"id": "k", "action": 4}"#.utf8)
        )
        #expect(a == ElementIDAction(id: "k", action: 4))
        #expect(try JSONDecoder().decode(ElementIDAction<String, Int>.self, from: JSONEncoder().encode(a)) == a)
        let b = ElementIndexAction(index: 2, action: 5)
        #expect(try JSONDecoder().decode(ElementIndexAction<Int, Int>.self, from: JSONEncoder().encode(b)) == b)
    }

    @Test("hold actions that can do nothing of this")
    func unconditional() {
        #expect(ElementIDAction(id: 1, action: Opaque(number: 2, text: "")).action.number == 2)
    }

    @Test("print as the place in brackets and the action, also within a case and within each other")
    func descriptions() {
        enum Part: Equatable { case select, rename(String) }
        enum Whole { case row(ElementIndexAction<Int, Part>), todo(ElementIDAction<String, Part>) }
        #expect("\(Whole.row(ElementIndexAction(index: 0, action: .select)))" == "row([0].select)")
        let todo = ElementIDAction(id: "a]\"", action: Part.rename("x\n"))
        #expect("\(todo)" == #"["a]\""].rename("x\n")"# && String(reflecting: todo) == "\(todo)")
        #expect("\(Whole.todo(todo))" == #"todo(["a]\""].rename("x\n"))"#)
        let cell = ElementIDAction(id: 1, action: ElementIndexAction(index: 2, action: Part.select))
        #expect("\(cell)" == "[1].[2].select")
        #expect("\(ElementIDAction(id: 1, action: "x"))" == #"[1]."x""#)
    }

    @Test("print what their parts say of themselves")
    func hiddenParts() {
        struct Secret: Hashable, CustomStringConvertible {
            var password = "hunter2"
            var description: String { "***" }
        }
        #expect("\(ElementIDAction(id: Secret(), action: Secret()))" == "[***].***")
    }
}
