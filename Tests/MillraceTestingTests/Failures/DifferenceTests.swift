// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceTesting
import Testing

@Suite("Differences of states")
struct DifferenceTests {
    private final class Node {
        var next: Node?
        let name = "node"
    }

    private struct Everything: @unchecked Sendable {
        var entries: [String: Int] = ["b": 2, "a": 1, "c": 3]
        var names: Set<String> = ["z", "y"]
        var nothing: Int?
        var pair = (left: 1, right: "r")
        var date = Date(timeIntervalSince1970: 0)
        var node = Node()
    }

    private func difference(_ change: @escaping @Sendable (inout Everything) -> Void) -> String {
        failures {
            let store = TestStore(
                initialState: Everything(),
                reducer: Reducer<Int, Everything>.reduce { _, state in change(&state) },
                middleware: IdentityMiddleware<Int, Int, Everything>(),
                stateEquating: { _, _ in false }
            )
            store.send(1)
        }.first?.message.split(separator: "\n", maxSplits: 1).last.map(String.init) ?? ""
    }

    @Test("dictionaries and sets are sorted, optionals are unwrapped")
    func collections() {
        #expect(
            difference {
                $0.entries["b"] = 7
                $0.names.insert("x")
                $0.nothing = 5
            } == """
                        entries: [
                          "a": 1
                    -     "b": 2
                    +     "b": 7
                          "c": 3
                        ]
                        names: Set [
                    +     "x"
                          "y"
                          "z"
                        ]
                    -   nothing: nil
                    +   nothing: 5
                        pair: (
                          left: 1
                """
        )
    }

    @Test("a cycle of objects ends")
    func cycle() {
        let text = difference { state in
            state.node.next = state.node
            state.pair.right = "s"
        }
        #expect(text.contains("+     right: \"s\""))
    }

    @Test("values that look alike")
    func alike() {
        #expect(difference { _ in }.contains("Both look alike"))
    }

    @Test("a long change shows both sides, and is found without a search of all pairs of lines")
    func long() throws {
        let found = failures {
            let store = TestStore(
                initialState: Array(0..<10_000),
                reducer: Reducer<Int, [Int]>.reduce { add, numbers in numbers = numbers.map { $0 + add } }
            )
            store.send(20_000)
        }
        let lines = try #require(found.first).message.split(separator: "\n").dropFirst().map(String.init)
        #expect(lines.filter { $0.hasPrefix("    - ") }.prefix(2) == ["    -   0", "    -   1"])
        #expect(lines.filter { $0.hasPrefix("    + ") }.prefix(2) == ["    +   20000", "    +   20001"])
        #expect(lines.contains("    - …"))
        #expect(lines.count < 150)
    }

    private final class Member: @unchecked Sendable {
        // Unchecked because one test has it.
        var friends: [String: Member] = [:]
        let name = "member"
    }

    private struct Family: Sendable {
        var children: [String: Family] = [:]
    }

    @Test("objects that hold each other in dictionaries, and dictionaries that are nested deeply, have an end")
    func cycles() {
        let member = Member()
        member.friends["self"] = member
        var family = Family()
        for number in 0..<20_000 { family = Family(children: ["\(number)": family]) }
        let found = failures {
            let members = TestStore(
                initialState: [member],
                reducer: Reducer<Int, [Member]>.reduce { _, state in
                    state.append(state[0])
                },
                middleware: IdentityMiddleware<Int, Int, [Member]>(),
                stateEquating: { $0.count == $1.count }
            )
            members.send(1)
            let families = TestStore(
                initialState: family,
                reducer: Reducer<Int, Family>.reduce { _, state in
                    state.children["new"] = Family()
                },
                middleware: IdentityMiddleware<Int, Int, Family>(),
                stateEquating: { _, _ in false }
            )
            families.send(1)
        }
        #expect(found.count == 2)
        #expect(found.first?.message.contains("Member (above)") == true)
        #expect(found.last?.message.contains("\"new\": Family") == true)
        // Not all levels at once, which would need a deep stack.
        while let inner = family.children.first?.value { family = inner }
    }
}
