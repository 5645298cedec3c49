// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceCore
import MillraceLogging
import TestSupport
import Testing

/// A type that describes itself decides what a log says of it: nothing else of it is printed.
@Suite("Logger: types that describe themselves", .timeLimit(.minutes(5)))
struct DescriptionTests {
    private let lines = Lines()
    private let log = ActionLog()

    struct Secret: CustomStringConvertible {
        var password = "hunter2"
        var description: String { "***" }
    }

    struct HashableSecret: Hashable, CustomStringConvertible {
        var password = "hunter2"
        var description: String { "***" }
    }

    struct DebugSecret: CustomDebugStringConvertible {
        var password = "hunter2"
        var debugDescription: String { "***" }
    }

    struct StreamedSecret: TextOutputStreamable {
        var password = "hunter2"
        func write(to target: inout some TextOutputStream) { target.write("***") }
    }

    struct MirroredSecret: CustomReflectable {
        var password = "hunter2"
        var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    struct Account: CustomReflectable {
        var name = "Ada"
        var password = "hunter2"
        var customMirror: Mirror { Mirror(self, children: ["name": name]) }
    }

    enum SecretCase: CustomStringConvertible {
        case hunter2
        case keyed(password: String)
        var description: String { "***" }
    }

    struct SecretError: Error, CustomStringConvertible {
        var password = "hunter2"
        var description: String { "***" }
    }

    class SecretBase: CustomStringConvertible {
        var password = "hunter2"
        var description: String { "***" }
    }

    final class SecretObject: SecretBase {
        var more = "hunter2"
    }

    struct SecretBytes: Collection, CustomStringConvertible {
        var bytes = Array("hunter2".utf8)
        var startIndex: Int { 0 }
        var endIndex: Int { bytes.count }
        subscript(index: Int) -> UInt8 { bytes[index] }
        func index(after index: Int) -> Int { index + 1 }
        var description: String { "***" }
    }

    enum Login {
        case enter(Secret, note: String)
        case nested([String: [Secret?]], (HashableSecret, Int), note: String)
        case debugged(DebugSecret, StreamedSecret, MirroredSecret, SecretCase, note: String)
        case failed(any Error, SecretObject, note: String)
    }

    private func actionLines(_ action: sending Login, _ redaction: (@Sendable (String) -> String)?) async -> [String] {
        let store = ReduxStoreBase<Login, Int>(
            initialState: 0,
            reducer: .reduce { _, _ in },
            middleware: IdentityMiddleware<Login, Login, Int>().logger(
                actionPrinter: lines.printer,
                redaction: redaction,
                log: log
            ),
            engine: .caller
        )
        store.dispatch(action)
        await log.flush()
        return lines.all
    }

    @Test("redaction is given the text that would be printed, never what is behind a description")
    func redactedActions() async {
        let note = "C:\\new \"x\"\t"
        let actions: [@Sendable () -> Login] = [
            { .enter(Secret(), note: note) },
            { .nested(["a": [Secret(), nil]], (HashableSecret(), 1), note: note) },
            { .debugged(DebugSecret(), StreamedSecret(), MirroredSecret(), .keyed(password: "hunter2"), note: note) },
            { .failed(SecretError(), SecretObject(), note: note) },
        ]
        let seen = Recorder<String>()
        for action in actions {
            let all = await actionLines(action()) { text in
                seen.record(text)
                return text.split(separator: "new \"x\"\t", omittingEmptySubsequences: false).joined(separator: "[cut]")
            }
            #expect(all.last?.contains("C:\\[cut]") == true, "\(all)")
        }
        #expect(seen.all.count >= actions.count)
        #expect(!(seen.all + lines.all).contains { $0.contains("hunter2") }, "\(seen.all) \(lines.all)")
    }

    @Test("a description with a backslash or a single quote in it is redacted as it is")
    func backslashes() async {
        struct Path: CustomStringConvertible { var description: String { "C:\\new\\table \"" } }
        enum Action { case open(Path, String) }
        let store = ReduxStoreBase<Action, Int>(
            initialState: 0,
            reducer: .reduce { _, _ in },
            middleware: IdentityMiddleware<Action, Action, Int>().logger(
                actionTransform: .default(actionPrefix: "", sourcePrefix: " "),
                actionPrinter: lines.printer,
                redaction: {
                    $0.split(separator: "C:\\new\\table", omittingEmptySubsequences: false).joined(separator: "[path]")
                },
                log: log
            ),
            engine: .caller
        )
        store.dispatch(.open(Path(), "a\\b"))
        await log.flush()
        #expect(lines.all.first?.contains("[path]") == true, "\(lines.all)")
        #expect(lines.all.first?.contains("new") == false, "\(lines.all)")
    }

    // MARK: States

    struct Everything {
        var plain = Secret()
        var hashable = HashableSecret()
        var debugged = DebugSecret()
        var streamed = StreamedSecret()
        var mirrored = MirroredSecret()
        var account = Account()
        var optional: Secret?? = .some(.some(Secret()))
        var list = [Secret(), Secret()]
        var keys: [HashableSecret: Int] = [HashableSecret(): 1]
        var values: [String: Secret] = ["a": Secret()]
        var members: Set<HashableSecret> = [HashableSecret()]
        var hidden: [AnyHashable: Any] = [AnyHashable(HashableSecret()): Secret()]
        var cased = SecretCase.hunter2
        var payload = SecretCase.keyed(password: "hunter2")
        var error: any Error = SecretError()
        var result: Result<Secret, SecretError> = .success(Secret())
        var pair = (Secret(), named: Secret())
        var object: SecretBase = SecretObject()
        var bytes = SecretBytes()
        var any: Any = Secret()
        var range = 1...2
    }

    private func changed() -> Everything {
        let (plain, hashable) = (Secret(password: "hunter23"), HashableSecret(password: "hunter23"))
        return Everything(
            plain: plain,
            hashable: hashable,
            debugged: DebugSecret(password: "hunter23"),
            streamed: StreamedSecret(password: "hunter23"),
            mirrored: MirroredSecret(password: "hunter23"),
            account: Account(password: "hunter23"),
            optional: plain,
            list: [plain, Secret(), plain],
            keys: [hashable: 1],
            values: ["a": plain],
            members: [hashable],
            hidden: [AnyHashable(HashableSecret()): plain],
            cased: .keyed(password: "hunter23"),
            payload: .keyed(password: "hunter23"),
            error: SecretError(password: "hunter23"),
            result: .failure(SecretError(password: "hunter23")),
            pair: (plain, plain),
            object: SecretObject(),
            bytes: SecretBytes(bytes: Array("hunter23".utf8)),
            any: plain,
            range: 1...3
        )
    }

    private func recursive<State>(_ before: State, _ after: State) -> [String] {
        LoggerMiddleware<Void, State>
            .recursiveDiff(prefixLines: "", stateName: "S", spelling: .indexed, before: before, after: after)?
            .split(separator: "\n").map(String.init) ?? []
    }

    @Test("a dump has the descriptions, and nothing of what they hide")
    func dump() {
        let text = dumpToString(Everything())
        #expect(!text.contains("hunter2"), "\(text)")
        #expect(text.contains("account: Account\n    name: \"Ada\""), "\(text)")
        #expect(text.contains("result: success\n    ***"), "\(text)")
        #expect(dumpToString(Secret()) == "***")
        #expect(dumpToString([HashableSecret(): Secret()]) == "1 pairs\n  ***: ***")
    }

    @Test("a recursive diff says that something hidden has changed, not what")
    func recursiveStates() {
        let all = recursive(Everything(), changed())
        #expect(!all.contains { $0.contains("hunter2") }, "\(all)")
        for path in [
            "plain", "hashable", "debugged", "streamed", "optional", "list[0]", "values[\"a\"]", "payload", "cased",
            "error", "pair.0", "pair.named", "object", "bytes", "any", "hidden[***]",
        ] {
            #expect(all.contains("S.\(path): *** → ***"), "\(path) of \(all)")
        }
        #expect(all.contains("S.list[2]: ∅ → ***"))
        #expect(all.filter { $0 == "S.keys[***]: 1 → ∅" || $0 == "S.keys[***]: ∅ → 1" }.count == 2, "\(all)")
        #expect(all.filter { $0 == "S.members: *** → ∅" || $0 == "S.members: ∅ → ***" }.count == 2, "\(all)")
        #expect(all.contains("S.result: success(***) → failure(***)"), "\(all)")
        #expect(all.contains("S.range: 1...2 → 1...3"), "\(all)")
    }

    @Test("what is hidden and did not change is not told, though it is stored anew")
    func unchanged() {
        let shared = SecretObject()
        func make() -> Everything {
            var state = Everything()
            let password = String(repeating: "long enough not to be stored inline ", count: 2)
            (state.plain.password, state.list[0].password) = (password, password)
            state.values["a"]?.password = password
            state.object = shared
            return state
        }
        #expect(recursive(make(), make()).isEmpty)
        struct Objects: CustomStringConvertible {
            var bytes = Data(repeating: 7, count: 1_000)
            var date = Date(timeIntervalSince1970: 1)
            var tags: Set<String> = ["a", "b", "c", "d"]
            var description: String { "***" }
        }
        #expect(recursive(Objects(), Objects()).isEmpty)
        #expect(recursive(Objects(), Objects(tags: ["a", "b", "c"])) == ["S: *** → ***"])
    }

    @Test("what a mirror of its own hides is told as changed, where == says so")
    func mirrored() {
        struct Login: CustomReflectable, Equatable {
            var name = "Ada"
            var password = "hunter2"
            var customMirror: Mirror { Mirror(self, children: ["name": name]) }
        }
        #expect(recursive(Login(), Login(password: "x")) == ["S: … changed where its mirror shows nothing"])
        #expect(recursive(Login(), Login(name: "Bob", password: "x")) == ["S.name: \"Ada\" → \"Bob\""])
        #expect(recursive(Login(), Login()).isEmpty)
    }

    @Test("a mirror that shows more children than before, or fewer")
    func children() {
        struct Bag: CustomReflectable {
            var names: [String]
            var customMirror: Mirror { Mirror(self, children: names.map { (label: $0 as String?, value: 1 as Any) }) }
        }
        #expect(recursive(Bag(names: ["a"]), Bag(names: ["a", "b"])) == ["S.b: ∅ → 1"])
        #expect(recursive(Bag(names: ["a", "b"]), Bag(names: ["a"])) == ["S.b: 1 → ∅"])
    }

    @Test("both styles in a store: nothing gets out, and the change is told", arguments: [true, false])
    func inStore(isRecursive: Bool) async {
        let reducer = Reducer<Int, Everything>.reduce { [change = Unchecked(changed)] _, state in state = change.value()
        }
        let store = ReduxStoreBase<Int, Everything>(
            initialState: Everything(),
            reducer: reducer,
            middleware: IdentityMiddleware<Int, Int, Everything>().logger(
                actionPrinter: lines.printer,
                stateDiffTransform: isRecursive
                    ? .recursive(prefixLines: "", stateName: "S", spelling: .indexed) : .diff(prefixLines: ""),
                stateDiffPrinter: lines.printer,
                redaction: { $0 },
                log: log
            ),
            engine: .caller
        )
        store.dispatch(1)
        await log.flush()
        #expect(!lines.all.contains { $0.contains("hunter2") }, "\(lines.all)")
        if isRecursive {
            #expect(lines.all.contains("S.plain: *** → ***"), "\(lines.all)")
        } else {
            #expect(lines.all.contains("\u{2212}  plain: ***") && lines.all.contains("+  plain: ***"), "\(lines.all)")
            #expect(lines.all.contains("\u{2212}    \"a\": ***"), "\(lines.all)")
        }
    }

    @Test("names of actions stop at a case that describes itself")
    func names() async {
        enum Action { case set(SecretCase), clear(Kind) }
        enum Kind { case soft }
        let store = ReduxStoreBase<Action, Int>(
            initialState: 0,
            reducer: .reduce { _, _ in },
            middleware: IdentityMiddleware<Action, Action, Int>().logger(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                log: log
            ),
            engine: .caller
        )
        store.dispatch(.set(.hunter2))
        store.dispatch(.clear(.soft))
        await log.flush()
        #expect(lines.all == ["set", "clear.soft"])
    }

    @Test("members that share a description are dumped in the same order, however they lie")
    func order() {
        func make(_ passwords: [String]) -> [HashableSecret: String] {
            var all: [HashableSecret: String] = Dictionary(minimumCapacity: Int.random(in: 0...200))
            for password in passwords { all[HashableSecret(password: password)] = "v" + password }
            return all
        }
        let passwords = (0..<9).map { "p\($0)" }
        let first = dumpToString(make(passwords))
        for _ in 0..<20 { #expect(dumpToString(make(passwords.shuffled())) == first) }
        #expect(first.contains("***: \"vp0\"\n  ***: \"vp1\""))
    }
}
