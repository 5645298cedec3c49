// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("IO: map and flatMap")
struct IOMapTests {
    private let sink = SinkSpy<AppAction>()
    private let cause = ActionCause(parent: 4, root: 3)
    private let run = EffectRun()
    private var output: AnyActionHandler<AppAction> { AnyActionHandler(sink: sink, cause: cause, run: run) }

    @Test("map changes the actions; source, cause and run stay")
    func map() {
        let io = IO<String> {
            $0.dispatch("ada", from: .a)
            $0.dispatch("eve", from: .b)
        }
        io.map(AuthAction.logIn).map(AppAction.auth).run(output)
        #expect(sink.log.all.map(\.action) == [.auth(.logIn("ada")), .auth(.logIn("eve"))])
        #expect(sink.log.all.map(\.source) == [.a, .b])
        #expect(sink.log.all.map(\.cause) == [cause, cause])
        #expect(sink.log.all.allSatisfy { $0.run === run })
    }

    @Test("map and flatMap keep pure pure, and do not call the closure")
    func pure() {
        let mapped: IO<AppAction> = IO<Int>.pure().map { _ in .tick }
        let flat: IO<AppAction> = IO<Int>.pure().flatMap { _ in IO { $0.dispatch(.tick) } }
        #expect(mapped.isPure)
        #expect(flat.isPure)
    }

    @Test("map changes nothing before it runs")
    func lazy() {
        let calls = Recorder<Int>()
        let io = IO<Int> { $0.dispatch(1) }.map { number -> AppAction in
            calls.record(number)
            return .tick
        }
        #expect(calls.count == 0)
        io.run(output)
        io.run(output)
        #expect(calls.all == [1, 1])
    }

    @Test("flatMap runs the new work at once, against the outer output, with its cause and run")
    func flatMap() {
        let log = Recorder<String>()
        let io = IO<Int> { handler in
            log.record("before")
            handler.dispatch(1, from: .b)
            log.record("after")
        }
        io.flatMap { dispatched in
            IO<AppAction> { outer in
                log.record("inner \(dispatched.action) \(dispatched.dispatcher.line)")
                outer.dispatch(dispatched.map { .list(.append($0)) })
            }
        }.run(output)
        #expect(log.all == ["before", "inner 1 2", "after"])
        #expect(sink.log.all.map(\.action) == [.list(.append(1))])
        #expect(sink.log.all.map(\.source) == [.b])
        #expect(sink.log.all.map(\.cause) == [cause])
        #expect(sink.log.all.first?.run === run)
    }

    @Test("flatMap can drop, and can do more")
    func flatMapFilters() {
        let io = IO<Int> { handler in for number in 0..<5 { handler.dispatch(number, from: .a) } }
        io.flatMap { dispatched -> IO<AppAction> in
            if dispatched.action.isMultiple(of: 2) { return .pure() }
            let once = IO<AppAction> { $0.dispatch(dispatched.map { .list(.append($0)) }) }
            return once <> once
        }.run(output)
        let ones: [AppAction] = [.list(.append(1)), .list(.append(1))]
        #expect(sink.log.all.map(\.action) == ones + [.list(.append(3)), .list(.append(3))])
    }

    @Test("the output that flatMap gives may be kept and used later, from another thread")
    func flatMapSavedOutput() async {
        let saved = Shared<AnyActionHandler<Int>?>(nil)
        let io = IO<Int> { handler in
            #expect(handler.cause == cause)
            saved.value = handler
        }
        io.flatMap { dispatched in IO<AppAction> { $0.dispatch(dispatched.map { .list(.append($0)) }) } }.run(output)
        await Task.detached { saved.value?.dispatch(7, from: .b) }.value
        #expect(sink.log.all.map(\.action) == [.list(.append(7))])
        #expect(sink.log.all.map(\.cause) == [cause])
    }
}
