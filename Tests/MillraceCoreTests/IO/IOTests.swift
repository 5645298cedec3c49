// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("IO")
struct IOTests {
    private let log = Recorder<String>()
    private let sink = SinkSpy<Int>()

    private func step(_ name: String) -> IO<Int> {
        let log = log
        return IO { _ in log.record(name) }
    }

    @Test("pure does nothing, and says so")
    func pure() {
        let io = IO<Int>.pure()
        #expect(io.isPure)
        #expect(IO<Int>.identity.isPure)
        io.run(AnyActionHandler(sink: sink))
        io.run { _ in Issue.record("pure dispatched") }
        #expect(sink.log.count == 0)
        #expect(!step("x").isPure)
    }

    @Test("pure is as small as a closure, and holds nothing")
    func pureIsFree() {
        #expect(MemoryLayout<IO<Int>>.size == 2 * MemoryLayout<Int>.size)
        let words = withUnsafeBytes(of: IO<Int>.pure()) { Array($0.bindMemory(to: Int.self)) }
        #expect(words.first == 0, "a pure IO must not point at code")
    }

    @Test("composing with pure returns the other side, not a wrapper of it")
    func composingWithPure() {
        let io = step("x")
        func words(_ io: IO<Int>) -> [Int] {
            withUnsafeBytes(of: io) { Array($0.bindMemory(to: Int.self)) }
        }
        #expect(words(io <> .pure()) == words(io))
        #expect(words(.pure() <> io) == words(io))
        #expect(words(io <> io) != words(io))
        #expect((IO<Int>.pure() <> .pure()).isPure)
    }

    @Test("runs lhs, then rhs, with the same output")
    func order() {
        let io = step("a") <> step("b") <> IO { $0.dispatch(1, from: .a) } <> (step("c") <> step("d"))
        io.run(AnyActionHandler(sink: sink))
        #expect(log.all == ["a", "b", "c", "d"])
        #expect(sink.log.all.map(\.action) == [1])
    }

    @Test("gives cause and run to what it dispatches")
    func causeAndRun() {
        let cause = ActionCause(parent: 2, root: 1)
        let run = EffectRun()
        (step("a") <> IO { $0.dispatch(1, from: .b) }).run(AnyActionHandler(sink: sink, cause: cause, run: run))
        #expect(sink.log.all.map(\.cause) == [cause])
        #expect(sink.log.all.first?.run === run)
        #expect(sink.log.all.first?.source == .b)
    }

    @Test("may be run twice")
    func twice() {
        let io = IO<Int> { $0.dispatch(1) }
        io.run(AnyActionHandler(sink: sink))
        io.run(AnyActionHandler(sink: sink))
        #expect(sink.log.all.map(\.action) == [1, 1])
    }

    @Test("may be run with a closure, which gets action and source")
    func closure() {
        let got = Recorder<DispatchedAction<Int>>()
        IO<Int> { $0.dispatch(1, from: .a) }.run { got.record($0) }
        #expect(got.all == [DispatchedAction(1, dispatcher: .a)])
    }

    @Test("its output may be kept and used later, from another thread, with its cause")
    func savedOutput() async {
        let saved = Shared<AnyActionHandler<Int>?>(nil)
        let cause = ActionCause(parent: 4, root: 3)
        IO<Int> { saved.value = $0 }.run(AnyActionHandler(sink: sink, cause: cause))
        #expect(sink.log.count == 0)
        await Task.detached {
            saved.value?.dispatch(1, from: .a)
            saved.value?.dispatch(2, from: .b)
        }.value
        #expect(sink.log.all.map(\.action) == [1, 2])
        #expect(sink.log.all.map(\.source) == [.a, .b])
        #expect(sink.log.all.map(\.cause) == [cause, cause])
    }
}
