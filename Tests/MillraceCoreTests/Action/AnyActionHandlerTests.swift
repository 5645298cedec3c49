// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("AnyActionHandler")
struct AnyActionHandlerTests {
    private let sink = SinkSpy<AppAction>()
    private let cause = ActionCause(parent: 9, root: 7)
    private let run = EffectRun()

    @Test("gives cause and run to its sink")
    func causeAndRun() {
        let handler = AnyActionHandler(sink: sink, cause: cause, run: run)
        #expect(handler.cause == cause)
        #expect(handler.run === run)
        handler.dispatch(.tick, from: .a)
        let entry = sink.log.all.first
        #expect(entry?.action == .tick)
        #expect(entry?.source == .a)
        #expect(entry?.cause == cause)
        #expect(entry?.run === run)
    }

    @Test("without them: from outside, and no run")
    func defaults() {
        let handler = AnyActionHandler(sink: sink)
        handler.dispatch(.tick)
        #expect(handler.cause == .none && handler.run == nil)
        #expect(sink.log.all.first?.cause == ActionCause.none)
        #expect(sink.log.all.first?.run == nil)
    }

    @Test("every form of dispatch keeps its source")
    func forms() {
        let handler = AnyActionHandler(sink: sink)
        let file = "f", function = "g"
        handler.dispatch(DispatchedAction(.tick, dispatcher: .a))
        handler.dispatch(.tick, from: .b)
        handler.dispatch(.tick, file: file, function: function, line: 4, info: "i")
        handler.dispatch(.tick, info: "j")
        let line: UInt = #line
        #expect(
            sink.log.all.map(\.source) == [
                .a, .b,
                ActionSource(file: file, function: function, line: 4, info: "i"),
                ActionSource(file: #fileID, function: #function, line: line - 1, info: "j"),
            ]
        )
    }

    @Test("contramap keeps source, cause and run, through any depth and through erasure")
    func contramap() {
        let handler = AnyActionHandler(sink: sink, cause: cause, run: run)
        func generic(_ handler: some ActionHandler<AppAction>) -> AnyActionHandler<AuthAction> {
            handler.contramap(AppAction.auth)
        }
        let names = [
            handler.contramap(AppAction.auth).contramap(AuthAction.logIn),
            generic(handler).contramap(AuthAction.logIn),
            AnyActionHandler(handler.contramap(AppAction.auth)).contramap(AuthAction.logIn).eraseToAnyActionHandler(),
        ]
        for name in names {
            #expect(name.cause == cause)
            #expect(name.run === run)
            name.dispatch("ada", from: .b)
        }
        #expect(sink.log.count == 3)
        for entry in sink.log.all {
            #expect(entry.action == .auth(.logIn("ada")))
            #expect(entry.source == .b)
            #expect(entry.cause == cause)
            #expect(entry.run === run)
        }
    }

    @Test("erasing what is erased changes nothing")
    func eraseTwice() {
        let handler = AnyActionHandler(sink: sink, cause: cause, run: run)
        for erased in [AnyActionHandler(handler), handler.eraseToAnyActionHandler()] {
            #expect(erased.cause == cause)
            #expect(erased.run === run)
            erased.dispatch(.tick)
        }
        #expect(sink.log.all.map(\.cause) == [cause, cause])
    }

    @Test("a closure gets action and source")
    func closure() {
        let log = Recorder<DispatchedAction<Int>>()
        AnyActionHandler<Int> { log.record($0) }.dispatch(1, from: .a)
        #expect(log.all == [DispatchedAction(1, dispatcher: .a)])
    }

    @Test("keeps its target alive")
    func retains() {
        weak var target: SinkSpy<AppAction>?
        var handler: AnyActionHandler<AuthAction>?
        do {
            let sink = SinkSpy<AppAction>()
            target = sink
            handler = AnyActionHandler(sink: sink).contramap(AppAction.auth)
        }
        #expect(target != nil)
        handler?.dispatch(.logOut)
        #expect(target?.log.count == 1)
        handler = nil
        #expect(target == nil)
    }

    @Test("may be used from many threads")
    func threads() async {
        let handler = AnyActionHandler(sink: sink, cause: cause).contramap(AppAction.list)
        await withTaskGroup(of: Void.self) { group in
            for producer in 0..<4 {
                group.addTask { for n in 0..<100 { handler.dispatch(.append(producer * 100 + n)) } }
            }
        }
        #expect(Set(sink.log.all.map(\.action)).count == 400)
        #expect(sink.log.all.allSatisfy { $0.cause == cause })
    }

    @Test("a plain sink throws everything away")
    func plainSink() {
        AnyActionHandler(sink: ActionSink<Int>()).dispatch(1)
    }
}
