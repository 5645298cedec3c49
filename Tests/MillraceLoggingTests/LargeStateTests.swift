// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceLogging
import Testing

/// How the cost grows is asked of the processor time of this thread, which does not count what other programs do. Four
/// times as much may take up to eight times as long: what is quadratic takes sixteen.
@Suite("Logger: changes of large states", .timeLimit(.minutes(5)))
struct LargeStateTests {
    /// The least of three, in nanoseconds.
    private func time(_ body: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        return (0..<3).map { _ in
            let begin = now()
            body()
            return now() - begin
        }
        .min() ?? 0
    }

    private func isNearLinear(_ count: Int, _ body: (Int) -> Void) -> Bool {
        time { body(4 * count) } < 8 * time { body(count) }
    }

    private func recursive<State>(_ before: State, _ after: State) -> [String] {
        LoggerMiddleware<Void, State>
            .recursiveDiff(prefixLines: "", stateName: "S", spelling: .indexed, before: before, after: after)?
            .split(separator: "\n").map(String.init) ?? []
    }

    // MARK: Texts

    @Test("many lines that are alike: the time is near that of reading them")
    func alike() {
        let isNear = isNearLinear(10_000) { count in
            let old = (0..<count).map { "line \($0)" }
            var new = old
            new[0] = "first"
            new[count / 2] = "middle"
            new[count - 1] = "last"
            let runs = Difference<String>.diff(old, new)
            #expect(runs.map(\.which) == [.first, .second, .both, .first, .second, .both, .first, .second])
            #expect(runs.map(\.elements.count) == [1, 1, count / 2 - 1, 1, 1, count / 2 - 2, 1, 1])
        }
        #expect(isNear)
    }

    @Test("texts of which nothing is alike: the time is near that of reading them")
    func different() {
        let isNear = isNearLinear(9_000) { count in
            let old = (0..<count).map { "a\($0)" }
            let new = (0..<count).map { "b\($0)" }
            #expect(Difference<String>.diff(old, new).map(\.elements.count) == [count, count])
        }
        #expect(isNear)
    }

    @Test("a line of context more than there are lines shows all of them")
    func context() {
        let old = (0..<400).map { "\($0)" }.joined(separator: "\n")
        let new = (0..<400).map { $0 % 2 == 0 ? "\($0)" : "\($0)!" }.joined(separator: "\n")
        let diff = Difference<String>.diff(old: old, new: new, linesOfContext: .max)
        #expect(diff?.split(separator: "\n").count == 601)
    }

    @Test("an indent of any size")
    func indent() {
        #expect(dumpToString([[1]], indent: .max).hasSuffix("[0]: 1"))
        #expect(dumpToString([1], indent: -3) == "1 elements\n[0]: 1")
    }

    // MARK: Dictionaries and sets

    struct Stock: Sendable {
        var count = 0
        var names: [Int: String] = [:]
        var tags: Set<Int> = []
        var list: [[Int]] = []
    }

    @Test("what did not change is not looked into: a large state costs what a small one does")
    func unchanged() {
        func stock(_ count: Int) -> Stock {
            Stock(
                names: Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, "a name that is not short \($0)") }),
                tags: Set(0..<count),
                list: (0..<count).map { [$0] }
            )
        }
        let (small, large) = (stock(10), stock(100_000))
        func tell(_ before: Stock) {
            var after = before
            after.count += 1
            #expect(recursive(before, after) == ["S.count: 0 → 1"])
        }
        #expect(time { tell(large) } < 20 * time { tell(small) })
    }

    @Test("a dictionary or a set that was built anew, or changed at one place, costs less than its text")
    func rebuilt() {
        let old = Stock(
            names: Dictionary(uniqueKeysWithValues: (0..<20_000).map { ($0, "x\($0)") }),
            tags: Set(0..<20_000)
        )
        var new = Stock(
            names: Dictionary(uniqueKeysWithValues: (0..<20_000).reversed().map { ($0, "x\($0)") }),
            tags: Set((0..<20_000).reversed())
        )
        new.names[7] = "y"
        new.tags.remove(9)
        let difference = time {
            #expect(recursive(old, new) == ["S.names[7]: \"x7\" → \"y\"", "S.tags: 9 → ∅"])
        }
        #expect(4 * difference < time { _ = dumpToString(old) })
    }

    @Test("one that is too large to be told by its members is told by its count, and costs no more")
    func counted() {
        let large = Set(0..<100_000)
        #expect(recursive(nil, large as Set<Int>?) == ["S: nil → 100000 members …"])
        let (few, many) = (Set(0..<60), Dictionary(uniqueKeysWithValues: large.map { ($0, $0) }))
        #expect(time { _ = recursive(nil, many as [Int: Int]?) } < time { _ = recursive(nil, few as Set<Int>?) })
    }

    // MARK: Keys

    final class Token: Hashable, Sendable {
        static func == (left: Token, right: Token) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    @Test("keys with one text are not one key")
    func keys() {
        let (first, second) = (Token(), Token())
        #expect(recursive([first: 1, second: 1], [first: 1]) == ["S[Token]: 1 → ∅"])
        #expect(recursive(Set([first, second]), Set([first])) == ["S: Token → ∅"])
        #expect(recursive([first], [second]).isEmpty, "objects without fields do not differ as elements")
        #expect(recursive(Set([first]), Set([second])) == ["S: Token → ∅", "S: ∅ → Token"])
        let both: [AnyHashable: String] = [AnyHashable(1): "a", AnyHashable("1"): "a"]
        #expect(recursive(both, [AnyHashable(1): "a"]) == ["S[\"1\"]: \"a\" → ∅"])
        #expect(recursive(both, [AnyHashable("1"): "a"]) == ["S[1]: \"a\" → ∅"])
    }

    /// Equal by its number alone.
    struct Row: Hashable, Sendable {
        let id: Int
        var name: String
        static func == (left: Row, right: Row) -> Bool { left.id == right.id }
        func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }

    @Test("what is equal by == and yet another is told; what equals nothing, but is the same, is not")
    func equality() {
        #expect(recursive([1: 0.0], [1: -0.0]) == ["S[1]: 0.0 → -0.0"])
        #expect(recursive([1: Double.nan], [1: Double.nan, 2: 1]) == ["S[2]: ∅ → 1.0"])
        #expect(recursive([Double.nan: 1], [Double.nan: 1, 2: 3]) == ["S[2.0]: ∅ → 3"])
        #expect(recursive([Double.nan: 1], [Double.nan: 2, 2: 3]) == ["S[2.0]: ∅ → 3", "S[nan]: 1 → 2"])
        #expect(recursive(Set([Double.nan, 1]), Set([Double.nan])) == ["S: 1.0 → ∅"])
        #expect(recursive([1: Row(id: 1, name: "a")], [1: Row(id: 1, name: "b")]) == ["S[1].name: \"a\" → \"b\""])
        #expect(
            recursive(Set([Row(id: 1, name: "a")]), Set([Row(id: 1, name: "b")]))
                == ["S: Row(id: 1, name: \"a\") → Row(id: 1, name: \"b\")"]
        )
    }

    @Test("values that cannot be compared, optional ones, and functions")
    func values() {
        struct Plain { var number: Int }
        #expect(recursive(["a": Plain(number: 1)], ["a": Plain(number: 2)]) == ["S[\"a\"].number: 1 → 2"])
        #expect(recursive(["a": 1] as [String: Int?], ["a": nil] as [String: Int?]) == ["S[\"a\"]: 1 → nil"])
        #expect(recursive([:] as [String: Int?], ["a": nil] as [String: Int?]) == ["S[\"a\"]: ∅ → nil"])
        #expect(recursive(["a": 1] as [String: Any], ["a": "1"] as [String: Any]) == ["S[\"a\"]: 1 → \"1\""])
        #expect(recursive([1: { 1 }] as [Int: () -> Int], [1: { 2 }] as [Int: () -> Int]).isEmpty)
    }

    @Test("what shows itself as a dictionary, and is none")
    func shown() {
        struct Ordered: CustomReflectable {
            var pairs: [(key: Any, value: Int)]
            var style = Mirror.DisplayStyle.dictionary
            var customMirror: Mirror {
                let children = pairs.map { (label: nil as String?, value: style == .set ? $0.key : $0 as Any) }
                return Mirror(self, children: children, displayStyle: style)
            }
        }
        struct Opaque { var name: String }
        let before = Ordered(pairs: [("a", 1), (2, 2), (Opaque(name: "o"), 5)])
        let after = Ordered(pairs: [(Opaque(name: "o"), 6), (2, 3), ("c", 4)])
        #expect(
            recursive(before, after)
                == ["S[\"a\"]: 1 → ∅", "S[\"c\"]: ∅ → 4", "S[2]: 2 → 3", "S[Opaque(name: \"o\")]: 5 → 6"]
        )
        let (old, new) = (Ordered(pairs: before.pairs, style: .set), Ordered(pairs: after.pairs, style: .set))
        #expect(recursive(old, new) == ["S: \"a\" → ∅", "S: ∅ → \"c\""])
    }

    // MARK: Depth

    @Test("what changed deeper than is looked is not passed over in silence")
    func deep() {
        indirect enum List {
            case end
            case link(Int, List)
        }
        func list(_ last: Int) -> List { (0..<100).reduce(List.link(last, .end)) { .link($1, $0) } }
        let lines = recursive(list(1), list(2))
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(": … deeper than 64 levels, not compared") == true)
        let same = list(1)
        #expect(recursive(same, same).isEmpty)
    }
}
