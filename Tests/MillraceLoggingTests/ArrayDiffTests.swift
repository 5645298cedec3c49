// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore
import MillraceLogging
import TestSupport
import Testing

@Suite("Logger: changes of arrays", .timeLimit(.minutes(5)))
struct ArrayDiffTests {
    private func recursive<State>(_ before: State, _ after: State, filters: [String]? = nil) -> [String] {
        LoggerMiddleware<Void, State>
            .recursiveDiff(
                prefixLines: "",
                stateName: "S",
                filters: filters,
                spelling: .indexed,
                before: before,
                after: after
            )?
            .split(separator: "\n").map(String.init) ?? []
    }

    @Test("an element that comes or goes is one line, wherever it is")
    func insertions() {
        let old = Array(0..<1_000)
        #expect(recursive(old, [-1] + old) == ["S[0]: ∅ → -1"])
        #expect(recursive(old, old + [-1]) == ["S[1000]: ∅ → -1"])
        #expect(recursive(old, Array(old.dropFirst())) == ["S[0]: 0 → ∅"])
        #expect(recursive(old, Array(old.dropLast())) == ["S[999]: 999 → ∅"])
        var new = old
        new.insert(contentsOf: [7, 8], at: 500)
        #expect(recursive(old, new) == ["S[500]: ∅ → 7", "S[501]: ∅ → 8"])
        new[3] = 0
        #expect(recursive(new, old).first == "S[3]: 0 → 3")
        #expect(recursive([1, 1, 1], [1, 1]) == ["S[2]: 1 → ∅"])
        #expect(recursive([Int](), [1]) == ["S[0]: ∅ → 1"] && recursive([1], []) == ["S[0]: 1 → ∅"])
    }

    @Test("changes in place are told by their places, as if each element had been looked at")
    func places() {
        let counterexample = firstCounterexample { random in
            let count = Int.random(in: 1...3_000, using: &random)
            let old = (0..<count).map { _ in Int.random(in: 0...3, using: &random) }
            var new = old
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                new[Int.random(in: 0..<count, using: &random)] = Int.random(in: 0...3, using: &random)
            }
            let expected = (0..<count).filter { old[$0] != new[$0] }.map { "S[\($0)]: \(old[$0]) → \(new[$0])" }
            return recursive(old, new) == expected ? nil : "\(old) \(new)"
        }
        #expect(counterexample == nil)
    }

    @Test("what came and went gives back both arrays")
    func edits() {
        let counterexample = firstCounterexample { random in
            func make() -> [Int] {
                (0..<Int.random(in: 0...9, using: &random)).map { _ in Int.random(in: 0...2, using: &random) }
            }
            let (old, new) = (make(), make())
            let lines = recursive(old, new)
            if old == new { return lines.isEmpty ? nil : "\(lines)" }
            let (gone, came) = (lines.filter { $0.hasSuffix("∅") }.count, lines.filter { $0.contains("∅ →") }.count)
            return old.count - gone + came == new.count && (gone == 0 || came == 0) ? nil : "\(old) \(new) \(lines)"
        }
        #expect(counterexample == nil)
    }

    @Test("strings that are stored anew are the same, and slices and keyed arrays are told as arrays are")
    func elements() {
        func make() -> [String] { (0..<100).map { "a string that is not stored inline, number \($0)" } }
        var new = make()
        #expect(recursive(make(), new).isEmpty)
        new[50] = "x"
        new.insert("y", at: 0)
        #expect(recursive(make(), ["y"] + make()) == ["S[0]: ∅ → \"y\""])
        #expect(recursive(make()[1...], make()[2...]).first?.hasPrefix("S[0]: \"a string") == true)
        #expect(recursive(ContiguousArray([1, 2]), ContiguousArray([1, 3])) == ["S[1]: 2 → 3"])
        struct Row: Identifiable {
            var id: Int
            var name = "a"
        }
        let rows = KeyedArray((0..<100).map { Row(id: $0) })
        var changed = rows
        changed[70].name = "b"
        changed.insert(Row(id: 1_000), at: 0)
        #expect(recursive(rows, KeyedArray([Row(id: -1)] + rows)) == ["S[0]: ∅ → Row(id: -1, name: \"a\")"])
        #expect(recursive([Row(id: 1)], [Row(id: 1, name: "b")]) == ["S[0].name: \"a\" → \"b\""])
    }

    @Test("one change in a large array costs less than reading a hundredth of it by mirrors")
    func large() {
        func time(_ body: () -> Void) -> Double {
            func now() -> Double {
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
            }
            return (0..<5).map { _ in
                let begin = now()
                body()
                return now() - begin
            }
            .min() ?? 0
        }
        let old = Array(0..<100_000)
        var new = old
        new[70_000] = -1
        let difference = time { #expect(recursive(old, new) == ["S[70000]: 70000 → -1"]) }
        #expect(difference < time { _ = dumpToString(old.prefix(1_000)) })
    }

    @Test("changes that a filter leaves out do not make the comparison endless")
    func filtered() {
        let (old, new) = (Array(0..<300_000), Array(1...300_000))
        let lines = recursive(old, new, filters: ["S["])
        #expect(lines == ["… the rest of the state was not compared, as it is too large"])
    }
}
