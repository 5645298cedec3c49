// SPDX-License-Identifier: Apache-2.0

import Logging
import MillraceCore
import MillraceLogging
import TestSupport
import Testing

@Suite("Logger: spellings of a recursive diff, and filters")
struct SpellingTests {
    struct Person: Equatable, Sendable {
        var name = "Ada"
    }

    enum Phase: Equatable, Sendable {
        case idle
        case running(speed: Int)
        case failed(String, Int)
    }

    struct TestState: Sendable {
        var a = 1
        var b = [0, 1]
        var c: Person? = Person()
        var d = ["a": 1, "b": 2]
        var e: Set<String> = ["x"]
        var phase = Phase.running(speed: 1)
        var pair = (1, second: "x")
        var twice: Int?? = .some(nil)
        var token = "t"
    }

    private func diff(
        filters: [String]? = nil,
        _ spelling: DiffSpelling = .swiftRex,
        prefix: String = "",
        _ change: (inout TestState) -> Void
    ) -> [String] {
        let before = TestState()
        var after = before
        change(&after)
        return LoggerMiddleware<Void, TestState>.recursiveDiff(
            prefixLines: prefix,
            stateName: "TestState",
            filters: filters,
            spelling: spelling,
            before: before,
            after: after
        )?.split(separator: "\n").map(String.init) ?? []
    }

    @Test("SwiftRex's spelling is the default")
    func fields() {
        #expect(diff { $0.a = 2 } == [" TestState.a: 1 → 2"])
        #expect(diff(prefix: "🏛 ") { $0.a = 2 } == ["🏛  TestState.a: 1 → 2"])
        #expect(diff { $0.token = "a\n\"b\"" } == [" TestState.token: t → a\\n\"b\""])
        #expect(diff { $0.pair = (2, "y") } == [" TestState.pair..0: 1 → 2", " TestState.pair.second: x → y"])
        #expect(
            LoggerMiddleware<Void, TestState>.recursiveDiff(
                prefixLines: "",
                stateName: "TestState",
                before: TestState(),
                after: TestState(a: 2)
            ) == " TestState.a: 1 → 2"
        )
    }

    @Test("elements have no index, and an absent one is nil")
    func elements() {
        #expect(diff { $0.b = [5, 1] } == [" TestState.b.#: 0 → 5"])
        #expect(diff { $0.b = [0, 7] } == [" TestState.b.#: 1 → 7"])
        #expect(diff { $0.b = [0] } == [" TestState.b.#: 1 → nil"])
        #expect(diff { $0.b = [0, 1, 2] } == [" TestState.b.#: nil → 2"])
    }

    @Test("optionals are named in the path, and a value that comes is wrapped")
    func optionals() {
        #expect(diff { $0.c?.name = "Bob" } == [" TestState.c.some.name: Ada → Bob"])
        #expect(diff { $0.c = nil } == [" TestState.c.some: Person(name: \"Ada\") → nil"])
        #expect(diff { $0.twice = 4 } == [" TestState.twice.some: nil → Optional(4)"])
        func optional(_ before: Int?, _ after: Int?) -> String? {
            LoggerMiddleware<Void, Int?>.recursiveDiff(prefixLines: "", stateName: "S", before: before, after: after)
        }
        #expect(optional(nil, 1) == ".S: nil → Optional(1)")
        #expect(optional(1, nil) == " S.some: 1 → nil")
        #expect(optional(1, 2) == " S.some: 1 → 2")
    }

    @Test("a state without fields follows a period")
    func root() {
        func diff<State>(_ before: State, _ after: State) -> String? {
            LoggerMiddleware<Void, State>.recursiveDiff(prefixLines: "- ", stateName: "S", before: before, after: after)
        }
        #expect(diff(1, 2) == "- .S: 1 → 2")
        #expect(diff([1], [2]) == "-  S.#: 1 → 2")
        #expect(diff([1: 1], [1: 2]) == "- .S: 📦 [1: 1] → [1: 2]")
        #expect(diff(Phase.idle, .running(speed: 2)) == "- .S: idle → running(speed: 2)")
        #expect(diff(Phase.running(speed: 1), .running(speed: 2)) == "-  S.running.speed: 1 → 2")
        #expect(diff(Phase.failed("a", 1), .failed("b", 1)) == "-  S.failed..0: a → b")
    }

    @Test("a dictionary and a set are one line")
    func whole() {
        #expect(diff { $0.d["b"] = 3 } == [" TestState.d: 📦 [a: 1, b: 2] → [a: 1, b: 3]"])
        #expect(diff { $0.d = [:] } == [" TestState.d: 📦 [a: 1, b: 2] → []"])
        #expect(diff { $0.e.insert("w") } == [" TestState.e: 📦 <x> → <w, x>"])
        let many = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, 0) })
        var changed = many
        (changed[7], changed[1_000]) = (1, 2)
        let line = LoggerMiddleware<Void, [Int: Int]>
            .recursiveDiff(prefixLines: "", stateName: "S", before: many, after: changed)
        #expect(line == ".S: 📦 [7: 0, … 999 others] → [1000: 2, 7: 1, … 999 others]")
        #expect(
            LoggerMiddleware<Void, [Int: Int]>.recursiveDiff(prefixLines: "", stateName: "S", before: many, after: many)
                == nil
        )
    }

    // MARK: Filters

    @Test(
        "a filter hides a line in both spellings, whichever of them it was written for",
        arguments: [DiffSpelling.swiftRex, .indexed]
    )
    func filters(spelling: DiffSpelling) {
        func lines(_ filter: String, _ change: (inout TestState) -> Void) -> Int {
            diff(filters: [filter], spelling, prefix: "🏛 ", change).count
        }
        #expect(lines("absent") { $0.b[1] = 5 } == 1)
        #expect(lines(" TestState.b.#") { $0.b[1] = 5 } == 0)
        #expect(lines("🏛  TestState.b") { $0.b[1] = 5 } == 0)
        #expect(lines("🏛 TestState.b[1]") { $0.b[1] = 5 } == 0)
        #expect(lines("c.some") { $0.c?.name = "Bob" } == 0)
        #expect(lines("c.some") { $0.c = nil } == 0)
        #expect(lines("TestState.c.name") { $0.c?.name = "Bob" } == 0)
        #expect(lines("name: Ada") { $0.c?.name = "Bob" } == 0)
        #expect(lines("\"Ada\" → \"Bob\"") { $0.c?.name = "Bob" } == 0)
        #expect(lines("twice.some: nil → Optional(4)") { $0.twice = 4 } == 0)
        #expect(lines("pair..0") { $0.pair.0 = 2 } == 0)
        #expect(lines("pair.0") { $0.pair.0 = 2 } == 0)
        #expect(lines("phase.running") { $0.phase = .idle } == 0)
        #expect(lines("token: s\"x\"") { $0.token = "s\"x\"" } == 1)
        #expect(lines("t → s\"x\"") { $0.token = "s\"x\"" } == 0)
        #expect(lines("∅") { $0.b = [] } == 0)
    }

    @Test(
        "a filter for a dictionary or a set hides it in both spellings",
        arguments: [DiffSpelling.swiftRex, .indexed]
    )
    func filtersOfParts(spelling: DiffSpelling) {
        func lines(_ filter: String) -> [String] {
            diff(filters: [filter], spelling) {
                ($0.d["a"], $0.d["c"]) = (7, 9)
                $0.e.insert("y")
            }
        }
        let isWhole = spelling == .swiftRex
        #expect(lines("absent").count == (isWhole ? 2 : 3))
        #expect(lines("d: 📦").count == 1)
        #expect(lines("b: 2").count == 1, "an unchanged pair of SwiftRex's line")
        #expect(lines("e: 📦 <x>").count == (isWhole ? 1 : 2))
        #expect(lines("<x, y>").count == (isWhole ? 1 : 2))
        #expect(lines("TestState.d[\"c\"]").count == (isWhole ? 1 : 2))
        #expect(lines("TestState.e: ∅ → \"y\"").count == (isWhole ? 1 : 2))
    }

    struct User: Equatable, Sendable {
        var name = "Ada"
        var secret = "s3cret"
        var friend: [User] = []
    }

    enum Login: Equatable, Sendable {
        case out
        case user(User, code: String)
    }

    final class Account: @unchecked Sendable {
        let secret = "s3cret"
        var owner: Account?
    }

    struct Secrets: Sendable {
        var users = [User()]
        var user: User?
        var byName: [String: User] = [:]
        var login = Login.out
        var account: Account?
    }

    /// The lines of the change, without a filter, and with it.
    private func secrets(
        _ filter: String,
        _ spelling: DiffSpelling,
        from prepare: (inout Secrets) -> Void = { _ in },
        _ change: (inout Secrets) -> Void
    ) -> (all: String, filtered: String) {
        var before = Secrets()
        prepare(&before)
        var after = before
        change(&after)
        func lines(_ filters: [String]) -> String {
            LoggerMiddleware<Void, Secrets>.recursiveDiff(
                prefixLines: "",
                stateName: "S",
                filters: filters,
                spelling: spelling,
                before: before,
                after: after
            ) ?? ""
        }
        return (lines([]), lines([filter]))
    }

    @Test(
        "a filter for a part also hides that part where a line prints the whole value",
        arguments: [DiffSpelling.swiftRex, .indexed]
    )
    func partsOfWholeValues(spelling: DiffSpelling) {
        func check(
            _ filters: [String],
            shows: String,
            from prepare: (inout Secrets) -> Void = { _ in },
            _ change: (inout Secrets) -> Void
        ) {
            for filter in filters {
                let (all, filtered) = secrets(filter, spelling, from: prepare, change)
                #expect(all.contains("s3cret"))
                #expect(!filtered.contains("s3cret") && filtered.contains(shows), "\(filter): \(filtered)")
            }
        }
        let elements = ["S.users.#.secret", "users.#.secret: "]
        check(elements + ["S.users[1].secret"], shows: "User(…)") { $0.users.append(User(name: "Bob")) }
        check(elements + ["S.users[0].secret"], shows: "User(…) → ") { $0.users = [] }
        let optional = ["S.user.some.secret", "S.user.secret"]
        check(optional, shows: "User(…)") { $0.user = User() }
        check(optional, shows: "User(…) → nil", from: { $0.user = User() }) { $0.user = nil }
        check(["login.user..0.secret", "login.user.0.secret"], shows: "user(…)") { $0.login = .user(User(), code: "1") }
        check(["S.login.user.code"], shows: "user(…)") { $0.login = .user(User(), code: "1") }
        check(["S.users.#.friend.#.secret"], shows: "User(…)") { $0.users.append(User(friend: [User()])) }
        check(["S.account.owner.secret", "S.account.some.owner.some.secret"], shows: "Account(…)") {
            $0.account = Account()
            $0.account?.owner = Account()
        }
        for filter in ["S.byName[\"a\"].secret", "byName[\"a\"].friend[0].secret"] {
            let (all, filtered) = secrets(filter, spelling) { $0.byName["a"] = User(friend: [User()]) }
            #expect(all.contains("s3cret") && !filtered.contains("s3cret"), "\(filter): \(filtered)")
        }
    }

    @Test(
        "a filter for another part leaves the whole value in its line",
        arguments: [DiffSpelling.swiftRex, .indexed]
    )
    func otherParts(spelling: DiffSpelling) {
        for filter in ["S.user.secret", "S.users.#.token", "S.login.user.name", "S.byName[\"b\"].secret"] {
            let (all, filtered) = secrets(filter, spelling) {
                $0.users.append(User())
                $0.byName["a"] = User()
                $0.login = .user(User(), code: "1")
            }
            #expect(filtered == all, "\(filter)")
        }
        // Objects that refer to each other end the search.
        let account = Account()
        account.owner = account
        defer { account.owner = nil }
        let (all, filtered) = secrets("S.account.some.owner.some.name", spelling) { $0.account = account }
        #expect(filtered == all)
    }

    // MARK: Filters that can match nothing

    private static let hopeless = "can match no line and hides nothing"

    private func reports(_ filters: [String], changes: Int = 2) async -> [String] {
        let lines = Lines()
        let log = ActionLog()
        let logger = LoggerMiddleware<Int, TestState>.default(
            actionPrinter: .custom { _ in },
            stateDiffTransform: .recursive(prefixLines: "> ", stateName: "TestState", filters: filters),
            stateDiffPrinter: lines.printer,
            log: log
        )
        let state = Shared(TestState())
        for change in 0..<changes {
            let io = logger.handle(action: change, from: .here(), state: { state.value })
            state.update { $0.a += 1 }
            io.run { _ in }
        }
        await log.flush()
        return lines.all
    }

    @Test("a filter that names a part which the state does not have is reported once, before the first line")
    func reported() async {
        let lines = await reports(["TestState.password", ">  TestState.c.some", "b.#", "a.b.c"])
        #expect(
            lines == [
                "the filter \"TestState.password\" can match no line and hides nothing: TestState has no part password",
                ">  TestState.a: 1 → 2", ">  TestState.a: 2 → 3",
            ]
        )
    }

    @Test("a filter that may match is not reported")
    func notReported() async {
        let filters = [
            "TestState", "TestState.", " TestState.b", ".TestState: 1", "TestState.to", "TestState.token: t",
            "TestState.b.#.x", "TestState.b[0]", "TestState.c.some.nickname", "TestState.c.nickname", "TestState.d.x",
            "TestState.phase.stopped", "TestState.pair..0", "TestState.pair.0", "TestState.pair.second",
            "> TestState.e",
            "TestStateful.x", "a value", "", "TestState.twice.some",
        ]
        #expect(await reports(filters).filter { $0.contains(Self.hopeless) }.isEmpty)
    }

    @Test("parts inside structures, classes and tuples are found, and missing ones too")
    func nested() async {
        let filters = ["TestState.pair.third", "TestState.tokens", "> TestState.phases.x", "TestState.a.b"]
        let lines = await reports(filters, changes: 1).filter { $0.contains(Self.hopeless) }
        #expect(lines.count == 3)
        #expect(lines.last?.hasSuffix("has no part phases") == true)
    }

    @Test("the report has level warning")
    func level() async {
        let handler = RecordingHandler()
        let log = ActionLog()
        let logger = LoggerMiddleware<Int, TestState>.default(
            stateDiffTransform: .recursive(stateName: "TestState", filters: ["TestState.x"]),
            stateDiffPrinter: .swiftLog(handler.logger),
            log: log
        )
        logger.handle(action: 1, from: .here(), state: { TestState() }).run { _ in }
        await log.flush()
        #expect(handler.events.all.map(\.level) == [.warning])
    }
}
