// SPDX-License-Identifier: Apache-2.0

import Logging
import Millrace
import MillraceLogging
import TestSupport
import Testing

@Suite("Logger: lines of actions", .timeLimit(.minutes(5)))
struct ActionLineTests {
    private let lines = Lines()
    private let log = ActionLog()

    private func run(_ actions: [CartAction], _ logger: CartLogger) async {
        let store = makeStore(logger)
        for action in actions {
            store.dispatch(action, from: ActionSource(file: "Shop/Till.swift", function: "sell()", line: 7))
        }
        await store.drain()
        await log.flush()
    }

    @Test("by default: the action, and who dispatched it")
    func defaultText() async {
        await run([.add("tea", price: 4)], nothing.logger(actionPrinter: lines.printer, log: log))
        #expect(lines.all == ["🕹 add(\"tea\", price: 4) 🎪 Till.swift:7 sell()"])
    }

    @Test("prefixes are what they are told to be")
    func prefixes() async {
        let transform = CartTransform.default(actionPrefix: "> ", sourcePrefix: " < ")
        await run([.clear], nothing.logger(actionTransform: transform, actionPrinter: lines.printer, log: log))
        #expect(lines.all == ["> clear < Till.swift:7 sell()"])
    }

    @Test("the name alone has no payload")
    func nameOnly() async {
        let actions: [CartAction] = [.add("secret", price: 4), .item(.mark(3)), .item(.drop), .clear]
        await run(actions, nothing.logger(actionTransform: .actionNameOnly, actionPrinter: lines.printer, log: log))
        #expect(lines.all == ["add", "item.mark", "item.drop", "clear"])
    }

    @Test("a closure says what it likes")
    func customText() async {
        let transform = CartTransform.custom { "\($0) from \($1.line)" }
        await run([.clear], nothing.logger(actionTransform: transform, actionPrinter: lines.printer, log: log))
        #expect(lines.all == ["clear from 7"])
    }

    @Test("of what the filter refuses nothing is logged, read or counted")
    func filter() async {
        let reads = Shared(0)
        await run(
            [.clear, .rename("Ada"), .clear],
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                actionFilter: { $0 == .clear },
                stateDiffTransform: .custom { _, _ in
                    reads.update { $0 += 1 }
                    return nil
                },
                stateDiffPrinter: lines.printer,
                log: log
            )
        )
        #expect(lines.all == ["clear", "clear"])
        #expect(reads.value == 2)
        #expect(log.metrics.written == 2)
    }

    @Test("swift-log is given the level, the place, the kind, the number and the cause")
    func metadata() async throws {
        let handler = RecordingHandler()
        let answer = AnyMiddleware<CartAction, CartAction, Cart> { action, _, _ in
            switch action {
            case .clear: IO { $0.dispatch(.rename("Ada")) }
            case .rename: IO { $0.dispatch(.item(.drop)) }
            default: .pure()
            }
        }
        let store = makeStore(
            answer.logger(
                actionPrinter: .swiftLog(handler.logger),
                level: { if case .rename = $0 { .error } else { .debug } },
                log: log
            )
        )
        store.dispatch(.add("tea", price: 1))
        store.dispatch(.clear, from: ActionSource(file: "Shop/Till.swift", function: "sell()", line: 7))
        // A drain would take a number, too.
        #expect(await eventually { handler.events.count == 4 })

        let events = handler.events.all
        #expect(events.map(\.level) == [.debug, .debug, .error, .debug])
        #expect(events.map { $0.metadata?["kind"] } == ["add", "clear", "rename", "item"])
        #expect(events.map { $0.metadata?["number"] } == ["1", "2", "3", "4"])
        #expect(events.map { $0.metadata?["parent"] } == ["0", "0", "2", "3"])
        #expect(events.map { $0.metadata?["root"] } == ["0", "0", "2", "2"])
        let clear = try #require(events.dropFirst().first)
        #expect(clear.file == "Shop/Till.swift" && clear.function == "sell()" && clear.line == 7)
        #expect(clear.metadata?["file"] == "Shop/Till.swift")
        #expect(clear.metadata?["function"] == "sell()" && clear.metadata?["line"] == "7")
        #expect(clear.source == "MillraceLogging")
        #expect("\(clear.message)" == "🕹 clear 🎪 Till.swift:7 sell()")
    }

    @Test("swift-log is given the shards of a cause")
    func shards() async {
        let handler = RecordingHandler()
        let log = log
        let store = ShardedStore(
            shards: 8,
            by: { (action: CartAction) in if case .add(_, let price) = action { price } else { 0 } },
            initialState: { _ in Cart() },
            reducer: cartReducer,
            middleware: { _ in
                AnyMiddleware<CartAction, CartAction, Cart> { action, _, _ in
                    guard case .add = action else { return .pure() }
                    return IO { $0.dispatch(.clear) }
                }
                .logger(actionPrinter: .swiftLog(handler.logger), log: log)
            }
        )
        let shards = store.shards.indices.map { shard in
            (1...).first { ObjectIdentifier(store.shard(for: $0)) == ObjectIdentifier(store.shards[shard]) }!
        }
        store.dispatch(.add("tea", price: shards[5]))
        #expect(await eventually { handler.events.count == 2 })
        let answer = handler.events.all.first { $0.metadata?["kind"] == "clear" }
        #expect(answer?.metadata?["parent"] == "1" && answer?.metadata?["parentShard"] == "5")
        #expect(answer?.metadata?["rootShard"] == "5")
        await store.drain()
        await log.flush()
    }

    @Test("numbers and causes reach a logger under a lift, a name, an erasure and a composition")
    func wrapped() async {
        let handler = RecordingHandler()
        let logger: AnyMiddleware<CartAction, CartAction, Cart> =
            LoggerMiddleware<CartAction, Cart>.default(actionPrinter: .swiftLog(handler.logger), log: log)
            .lift(inputAction: identity, outputAction: absurd, state: identity)
            .eraseToAnyMiddleware()
        let store = makeStore((nothing <> logger.named("log")).eraseToAnyMiddleware())
        store.dispatch(.clear)
        store.dispatch(.clear)
        await store.drain()
        await log.flush()
        #expect(handler.events.all.map { $0.metadata?["number"] } == ["1", "2"])
    }

    @Test("at its usual level a program logs no action, and captures none; a change of level holds at once")
    func level() async {
        let handler = RecordingHandler(level: .info)
        let reads = Shared(0)
        let store = CartStore(
            initialState: Cart(),
            reducer: cartReducer,
            middleware: nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: .swiftLog(handler.logger),
                stateDiffTransform: .custom { _, _ in
                    reads.update { $0 += 1 }
                    return nil
                },
                stateDiffPrinter: .swiftLog(handler.logger),
                log: log
            )
        )
        store.dispatch(.clear)
        await store.drain()
        await log.flush()
        #expect(handler.texts.isEmpty && reads.value == 0 && log.metrics == LogMetrics())
        handler.level.value = .trace
        store.dispatch(.rename("Ada"))
        await store.drain()
        await log.flush()
        #expect(handler.texts == ["rename"] && reads.value == 1)
    }

    @Test("the printer of states may take what the one of actions does not")
    func separateLevels() async {
        let quiet = RecordingHandler(level: .critical)
        await run(
            [.rename("Ada")],
            nothing.logger(
                actionPrinter: .swiftLog(quiet.logger),
                stateDiffTransform: .recursive(prefixLines: "", stateName: "Cart", spelling: .indexed),
                stateDiffPrinter: lines.printer,
                log: log
            )
        )
        #expect(quiet.texts.isEmpty)
        #expect(lines.all == ["Cart.owner: \"nobody\" → \"Ada\""])
    }

    @Test("redaction sees every text of actions and states, and no text gets past it")
    func redaction() async {
        await run(
            [.rename("secret")],
            nothing.logger(
                actionPrinter: lines.printer,
                stateDiffTransform: .diff(),
                stateDiffPrinter: lines.printer,
                redaction: { $0.contains("secret") ? "[redacted]" : $0 },
                log: log
            )
        )
        #expect(!lines.all.contains { $0.contains("secret") })
        #expect(lines.all.filter { $0 == "[redacted]" }.count == 2)
        #expect(lines.all.contains("🏛 \u{2212}  owner: \"nobody\""))
    }

    @Test(
        "redaction sees strings as they are, whatever is in them",
        arguments: [
            ("hun\"ter\t2", "hun"), ("top\nmost", "most"), ("\u{202E}drow\u{202C}", "drow"), ("back\\slash", "slash"),
            ("\u{1B}[1m", "[1m"), ("plain", "plain"),
        ]
    )
    func unescaped(secret: String, part: String) async {
        @Sendable
        func replaced(_ secret: String, in text: String) -> String {
            text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "***")
        }
        let transforms: [LoggerMiddleware<CartAction, Cart>.StateDiffTransform] = [
            .diff(), .newStateOnly, .recursive(stateName: "Cart", spelling: .indexed),
            .custom { "\($0?.owner ?? ""): \($1.owner)" },
        ]
        for transform in transforms {
            for isRedacted in [true, false] {
                let (actions, states) = (Lines(), Lines())
                await run(
                    [.rename(secret)],
                    nothing.logger(
                        actionPrinter: actions.printer,
                        stateDiffTransform: transform,
                        stateDiffPrinter: states.printer,
                        redaction: { isRedacted ? replaced(secret, in: $0) : $0 },
                        log: log
                    )
                )
                for lines in [actions.all, states.all] {
                    #expect(lines.contains { $0.contains(part) } == !isRedacted, "\(lines)")
                    #expect(lines.contains { $0.contains("***") } == isRedacted, "\(lines)")
                    let isClean = lines.allSatisfy { line in
                        line.unicodeScalars.allSatisfy { $0 >= " " && $0 != "\u{202E}" && $0 != "\u{202C}" }
                    }
                    #expect(isClean, "\(lines)")
                }
            }
        }
    }

    @Test("redaction sees keys, members and payloads as they are, too")
    func unescapedKeys() async {
        struct Secrets { var keyed: [String: Int] = [:], members: Set<String> = [], held: CartAction = .clear }
        let secret = "s\"e\tc"
        let store = ReduxStoreBase<Int, Secrets>(
            initialState: Secrets(),
            reducer: .reduce { _, state in state = Secrets(keyed: [secret: 1], members: [secret], held: .rename(secret))
            },
            middleware: IdentityMiddleware<Int, Int, Secrets>().logger(
                actionPrinter: .custom { _ in },
                stateDiffTransform: .recursive(prefixLines: "", stateName: "S", spelling: .indexed),
                stateDiffPrinter: lines.printer,
                redaction: { $0.contains(secret) ? "[redacted]" : $0 },
                log: log
            )
        )
        store.dispatch(1)
        await store.drain()
        await log.flush()
        #expect(lines.all == ["[redacted]", "[redacted]", "[redacted]"])
    }

    @Test("a closure is called once an action, and once a change of the state")
    func calls() async {
        let calls = Recorder<String>()
        await run(
            [.rename("Ada"), .clear],
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: .custom { calls.record($0) },
                stateDiffTransform: .newStateOnly,
                stateDiffPrinter: .custom { calls.record($0) },
                log: log
            )
        )
        let state = "Cart\n  owner: \"Ada\"\n  prices: 0 elements"
        #expect(calls.all == ["rename", state, "clear", state])
    }

    @Test("a payload cannot forge a line, whoever prints it")
    func forging() async {
        let folder = TemporaryFolder()
        let handler = RecordingHandler()
        struct Note: CustomStringConvertible { let description = "one\nroot logged in\r\u{1B}[2K" }
        for printer in [lines.printer, .swiftLog(handler.logger), .file(FileAppender(path: folder.path + "/log"))] {
            let store = ReduxStoreBase<Note, String>(
                initialState: "",
                reducer: .reduce { action, state in state = action.description },
                middleware: IdentityMiddleware<Note, Note, String>().logger(
                    actionPrinter: printer,
                    stateDiffTransform: .custom { $1 },
                    stateDiffPrinter: printer,
                    log: log
                )
            )
            store.dispatch(Note())
            await store.drain()
            await log.flush()
        }
        let clean = "one\\nroot logged in\\r\\u{1B}[2K"
        #expect(lines.all.count == 2 && handler.texts == lines.all)
        #expect(lines.all.allSatisfy { $0.contains(clean) })
        #expect(folder.lines("log")?.count == 3, "two lines, and nothing after the last")
        #expect(folder.lines("log")?.first?.contains(clean) == true)
    }

    @Test("the action is logged before those it brings about, and its state before theirs")
    func order() async {
        let answer = AnyMiddleware<CartAction, CartAction, Cart> { action, _, _ in
            action == .clear ? IO { $0.dispatch(.rename("Ada")) } : .pure()
        }
        let store = CartStore(
            initialState: Cart(),
            reducer: cartReducer,
            middleware: answer.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                stateDiffTransform: .custom { before, after in "\(before?.owner ?? "?") \(after.owner)" },
                stateDiffPrinter: lines.printer,
                log: log
            ),
            engine: .caller
        )
        store.dispatch(.clear)
        await store.drain()
        await log.flush()
        #expect(lines.all == ["clear", "nobody nobody", "rename", "nobody Ada"])
    }
}

typealias CartTransform = LoggerMiddleware<CartAction, Cart>.ActionTransform
