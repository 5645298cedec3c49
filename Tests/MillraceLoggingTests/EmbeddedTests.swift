// SPDX-License-Identifier: Apache-2.0

import Logging
import Millrace
import MillraceLogging
import TestSupport
import Testing

/// What is neither Sendable nor Equatable is logged, too; and a store is not needed.
@Suite("Logger: without a store, and with what SwiftRex's apps have", .timeLimit(.minutes(5)))
struct EmbeddedTests {
    private let lines = Lines()
    private let log = ActionLog()

    final class Payload {
        var text: String
        init(_ text: String) { self.text = text }
    }

    enum PlainAction {
        case set(Payload)
    }

    struct PlainState {
        var payload: Payload?
    }

    @Test("actions and states that are not Sendable")
    func notSendable() async {
        let store = ReduxStoreBase<PlainAction, PlainState>(
            initialState: PlainState(),
            reducer: .reduce { action, state in
                if case .set(let payload) = action { state.payload = payload }
            },
            middleware: IdentityMiddleware<PlainAction, PlainAction, PlainState>().logger(
                actionTransform: .actionNameOnly,
                actionPrinter: lines.printer,
                stateDiffTransform: .recursive(prefixLines: "", stateName: "S", spelling: .indexed),
                stateDiffPrinter: lines.printer,
                log: log
            ),
            engine: .caller
        )
        store.dispatch(.set(Payload("a")))
        await log.flush()
        store.dispatch(.set(Payload("b")))
        await log.flush()
        #expect(lines.all == ["set", "S.payload: nil → Payload(text: \"a\")", "set", "S.payload.text: \"a\" → \"b\""])
    }

    private func makeLogger() -> LoggerMiddleware<Int, Int> {
        .default(
            actionTransform: .custom { action, _ in "\(action)" },
            actionPrinter: lines.printer,
            stateDiffTransform: .custom { before, after in "\(before ?? -1) \(after)" },
            stateDiffPrinter: lines.printer,
            log: log
        )
    }

    /// As somebody drives a middleware by hand.
    private func drive<Middleware: MiddlewareProtocol>(_ middleware: Middleware, _ actions: [Int]) async
    where Middleware.InputActionType == Int, Middleware.StateType == Int {
        let state = Shared(0)
        let output = AnyActionHandler<Middleware.OutputActionType> { _ in }
        for action in actions {
            let io = middleware.handle(action: action, from: .here()) { state.value }
            state.update { $0 += action }
            middleware.afterReduce(action: action, from: .here(), state: { state.value }, output: output)
            io.run(output)
        }
        await log.flush()
    }

    @Test("by hand, not bound: the work takes the place of afterReduce")
    func unbound() async {
        await drive(makeLogger(), [1, 2])
        #expect(lines.all == ["1", "0 1", "2", "1 3"])
    }

    @Test("by hand, bound")
    func bound() async {
        await drive(makeLogger().bound(to: { 0 }), [1, 2])
        #expect(lines.all == ["1", "0 1", "2", "1 3"])
    }

    @Test("in front of a middleware, not bound and bound")
    func wrapped() async {
        let wrapped = IdentityMiddleware<Int, Int, Int>().logger(
            actionTransform: .custom { action, _ in "\(action)" },
            actionPrinter: lines.printer,
            stateDiffTransform: .custom { before, after in "\(before ?? -1) \(after)" },
            stateDiffPrinter: lines.printer,
            log: log
        )
        await drive(wrapped, [1])
        await drive(wrapped.bound(to: { 0 }), [2])
        #expect(lines.all == ["1", "0 1", "2", "0 2"])
    }

    @Test("outside of a store a line has no number")
    func noNumber() async {
        let handler = RecordingHandler()
        let logger = LoggerMiddleware<Int, Int>.default(actionPrinter: .swiftLog(handler.logger), log: log)
        await drive(logger, [1])
        #expect(handler.events.all.map { $0.metadata?["kind"] } == ["Int"])
        #expect(handler.events.all.first?.metadata?["number"] == nil)
    }

    @Test("handle without afterReduce: the state that was remembered is let go, and the next action is logged")
    func noAfter() async {
        let logger = makeLogger().bound(to: { 0 })
        _ = logger.handle(action: 7, from: .here()) { 0 }
        await drive(logger, [1])
        #expect(lines.all == ["1", "0 1"])
    }

    @Test("the state of an action whose afterReduce never came is not told of one that the filter refuses")
    func refusedAfterwards() async {
        let logger = LoggerMiddleware<Int, Int>.default(
            actionPrinter: lines.printer,
            actionFilter: { $0 != 1 },
            stateDiffTransform: .newStateOnly,
            stateDiffPrinter: lines.printer,
            log: log
        )
        .bound(to: { 0 })
        _ = logger.handle(action: 7, from: .here()) { 0 }
        await drive(logger, [1])
        #expect(lines.all.isEmpty)
    }
}
