// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceLogging
import TestSupport
import Testing

@Suite("Logger: changes of the state")
struct DiffTests {
    struct Person: Hashable, Sendable {
        var name: String
        var age: Int
    }

    enum Phase: Sendable {
        case idle
        case running(speed: Int)
        case failed(String, code: Int)
    }

    class Base {
        var id = 1
    }

    final class Derived: Base {
        var name = "a"
        weak var myself: Derived?
        var held: Derived?
    }

    struct Everything: Sendable {
        var text = "a"
        var number: Int? = nil
        var nested: Int?? = .some(nil)
        var list = [1, 2]
        var people: [String: Person] = [:]
        var tags: Set<String> = []
        var phase = Phase.idle
        var pair = (1, b: "x")
        var ratio = 0.5
    }

    private func recursive(_ change: (inout Everything) -> Void, filters: [String]? = nil) -> [String] {
        let before = Everything()
        var after = before
        change(&after)
        return LoggerMiddleware<Void, Everything>.recursiveDiff(
            prefixLines: "- ",
            stateName: "S",
            filters: filters,
            spelling: .indexed,
            before: before,
            after: after
        )?.split(separator: "\n").map(String.init) ?? []
    }

    // MARK: Field by field

    @Test("nothing changed, nothing told")
    func equal() {
        #expect(recursive { _ in }.isEmpty)
    }

    @Test("leaves, optionals and what is in them")
    func leaves() {
        #expect(recursive { $0.text = "b\n" } == ["- S.text: \"a\" → \"b\\n\""])
        #expect(recursive { $0.number = 3 } == ["- S.number: nil → 3"])
        #expect(recursive { $0.nested = 4 } == ["- S.nested: nil → 4"])
        #expect(recursive { $0.pair.b = "y" } == ["- S.pair.b: \"x\" → \"y\""])
        #expect(recursive { $0.ratio = .nan } == ["- S.ratio: 0.5 → nan"])
    }

    @Test("every element of an array by itself, and what was appended or removed")
    func arrays() {
        #expect(recursive { $0.list = [0, 2] } == ["- S.list[0]: 1 → 0"])
        #expect(recursive { $0.list[1] = 5 } == ["- S.list[1]: 2 → 5"])
        #expect(recursive { $0.list = [1] } == ["- S.list[1]: 2 → ∅"])
        #expect(recursive { $0.list += [3, 4] } == ["- S.list[2]: ∅ → 3", "- S.list[3]: ∅ → 4"])
        #expect(recursive { $0.list = [] } == ["- S.list[0]: 1 → ∅", "- S.list[1]: 2 → ∅"])
    }

    @Test("pairs of a dictionary by their keys")
    func dictionaries() {
        let ada = Person(name: "Ada", age: 36)
        #expect(recursive { $0.people["a"] = ada } == ["- S.people[\"a\"]: ∅ → Person(name: \"Ada\", age: 36)"])
        var before = Everything()
        before.people = ["a": ada, "b": Person(name: "Bob", age: 1), "c": ada]
        var after = before
        after.people["b"]?.age = 2
        after.people["c"] = nil
        let lines = LoggerMiddleware<Void, Everything>.recursiveDiff(
            prefixLines: "",
            stateName: "S",
            spelling: .indexed,
            before: before,
            after: after
        )
        #expect(lines == "S.people[\"b\"].age: 1 → 2\nS.people[\"c\"]: Person(name: \"Ada\", age: 36) → ∅")
    }

    @Test("a keyed array by its elements, bytes by what they are")
    func special() {
        struct Row: Identifiable, Sendable {
            let id: Int
            var name: String
        }
        struct State: Sendable {
            var rows = KeyedArray([Row(id: 7, name: "a"), Row(id: 9, name: "b")])
            var bytes = Data([1, 2])
            var long = Data(repeating: 0, count: 100)
        }
        let before = State()
        var after = before
        after.rows[1].name = "c"
        after.rows.append(Row(id: 1, name: "d"))
        after.bytes[0] = 255
        after.long[99] = 1
        let lines =
            LoggerMiddleware<Void, State>
            .recursiveDiff(prefixLines: "", stateName: "S", spelling: .indexed, before: before, after: after)?
            .split(separator: "\n").map(String.init) ?? []
        #expect(
            lines.dropLast() == [
                "S.rows[1].name: \"b\" → \"c\"", "S.rows[2]: ∅ → Row(id: 1, name: \"d\")",
                "S.bytes: 2 bytes 0102 → 2 bytes ff02",
            ]
        )
        #expect(lines.last?.hasPrefix("S.long: 100 bytes 0000") == true)
    }

    @Test("members of a set that come and go")
    func sets() {
        #expect(recursive { $0.tags = ["b", "a"] } == ["- S.tags: ∅ → \"a\"", "- S.tags: ∅ → \"b\""])
    }

    @Test("cases, and what they hold")
    func enumerations() {
        #expect(recursive { $0.phase = .running(speed: 3) } == ["- S.phase: idle → running(speed: 3)"])
        func diff(_ before: Phase, _ after: Phase) -> String? {
            LoggerMiddleware<Void, Phase>.recursiveDiff(
                prefixLines: "",
                stateName: "P",
                spelling: .indexed,
                before: before,
                after: after
            )
        }
        #expect(diff(.running(speed: 1), .running(speed: 2)) == "P.running.speed: 1 → 2")
        #expect(diff(.failed("a", code: 1), .failed("b", code: 1)) == "P.failed.0: \"a\" → \"b\"")
    }

    @Test("lines with one of the filters are left out")
    func filters() {
        let lines = recursive({ ($0.text, $0.list) = ("secret", []) }, filters: ["list"])
        #expect(lines == ["- S.text: \"a\" → \"secret\""])
        #expect(recursive({ $0.text = "secret" }, filters: ["list", "secret"]).isEmpty)
    }

    @Test("without a state before there is nothing to tell")
    func noBefore() {
        #expect(
            LoggerMiddleware<Void, Int>.recursiveDiff(
                prefixLines: "",
                stateName: "S",
                spelling: .indexed,
                before: nil,
                after: 1
            ) == nil
        )
    }

    @Test("objects, their superclass, and circles of them")
    func objects() {
        func make(_ id: Int, _ name: String) -> Derived {
            let object = Derived()
            (object.id, object.name, object.myself) = (id, name, object)
            return object
        }
        let (before, after) = (make(1, "a"), make(2, "b"))
        #expect(
            LoggerMiddleware<Void, Derived>
                .recursiveDiff(prefixLines: "", stateName: "D", spelling: .indexed, before: before, after: after)
                == "D.id: 1 → 2\nD.name: \"a\" → \"b\""
        )
        let (left, right) = (make(1, "left"), make(2, "right"))
        (left.held, right.held) = (right, left)
        defer { left.held = nil }
        #expect(dumpToString(left).contains("Derived …"))
    }

    @Test("dictionaries and sets that are equal never differ, in whatever order they lie")
    func unordered() {
        struct Unordered {
            var tags: Set<String>
            var people: [String: Int]
        }
        let counterexample = firstCounterexample(cases: 50) { random in
            let words = (0..<20).map { "w\($0)" }.shuffled(using: &random)
            func make(_ words: [String]) -> Unordered {
                var state = Unordered(tags: Set(minimumCapacity: Int.random(in: 0...200, using: &random)), people: [:])
                for word in words {
                    state.tags.insert(word)
                    state.people[word] = word.count
                }
                return state
            }
            let (before, after) = (make(words), make(words.shuffled(using: &random)))
            let recursive = LoggerMiddleware<Void, Unordered>
                .recursiveDiff(prefixLines: "", stateName: "U", spelling: .indexed, before: before, after: after)
            if recursive != nil { return "recursive: \(recursive ?? "")" }
            return dumpToString(before) == dumpToString(after) ? nil : "the dumps differ"
        }
        #expect(counterexample == nil)
    }

    @Test("what is very deep is looked into so far, and stops nothing")
    func deep() {
        indirect enum List {
            case end
            case link(Int, List)
        }
        var (before, after) = (List.end, List.end)
        for number in 0..<10_000 {
            before = .link(number, before)
            after = .link(number == 9_990 ? 0 : number, after)
        }
        #expect(dumpToString(before).split(separator: "\n").count < 200)
        let lines = LoggerMiddleware<Void, List>
            .recursiveDiff(prefixLines: "", stateName: "L", spelling: .indexed, before: before, after: after)
        let parts = lines?.split(separator: "\n") ?? []
        #expect(parts.first?.hasSuffix(": 9990 → 0") == true)
        #expect(parts.count == 2 && parts.last?.hasSuffix(": … deeper than 64 levels, not compared") == true)
    }

    // MARK: Unified

    @Test("a unified diff: hunks, lines around, and where they are")
    func unified() {
        let old = (1...12).map { "l\($0)" }.joined(separator: "\n")
        let new = old.replacingText("l3\n", "L3\n").replacingText("l12", "l12\nl13 ")
        let diff = Difference<String>.diff(old: old, new: new, linesOfContext: 1, prefixLines: "> ")
        #expect(
            diff == """
                > @@ \u{2212}2,3 +2,3 @@
                > \u{2007}l2
                > \u{2212}l3
                > +L3
                > \u{2007}l4
                > @@ \u{2212}12,1 +12,2 @@
                > \u{2007}l12
                > +l13 ¬
                """
        )
        #expect(Difference<String>.diff(old: old, new: old, linesOfContext: 1) == nil)
        #expect(Difference<String>.diff(old: "a", new: "b", linesOfContext: -1)?.contains("\u{2007}") == false)
    }

    @Test("the runs of two texts give back both of them")
    func runs() {
        let counterexample = firstCounterexample { random in
            func make() -> [String] {
                let count = Int.random(in: 0...12, using: &random)
                return (0..<count).map { _ in "\(Int.random(in: 0...3, using: &random))" }
            }
            let (old, new) = (make(), make())
            let runs = Difference<String>.diff(old, new)
            let first = runs.filter { $0.which != .second }.flatMap(\.elements)
            let second = runs.filter { $0.which != .first }.flatMap(\.elements)
            if zip(runs, runs.dropFirst()).contains(where: { $0.which == $1.which }) {
                return "\(old) \(new): not joined"
            }
            return first == old && second == new ? nil : "\(old) \(new): \(runs)"
        }
        #expect(counterexample == nil)
    }

    // MARK: Dumps

    @Test("a dump has a line for each leaf")
    func dump() {
        var state = Everything()
        state.people = ["b": Person(name: "Bob", age: 1), "a": Person(name: "A\nda", age: 36)]
        state.tags = ["y", "x"]
        state.phase = .failed("why", code: 3)
        #expect(
            dumpToString(state) == """
                Everything
                  text: "a"
                  number: nil
                  nested: nil
                  list: 2 elements
                    [0]: 1
                    [1]: 2
                  people: 2 pairs
                    "a": Person
                      name: "A\\nda"
                      age: 36
                    "b": Person
                      name: "Bob"
                      age: 1
                  tags: 2 members
                    "x"
                    "y"
                  phase: failed
                    0: "why"
                    code: 3
                  pair: tuple
                    0: 1
                    b: "x"
                  ratio: 0.5
                """
        )
        #expect(dumpToString(Person(name: "Ada", age: 1), indent: 1) == "Person\n name: \"Ada\"\n age: 1")
    }
}

extension String {
    fileprivate func replacingText(_ old: String, _ new: String) -> String {
        split(separator: old, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: new)
    }
}
