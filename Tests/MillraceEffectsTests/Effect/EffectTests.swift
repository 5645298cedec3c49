// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import MillraceEffects
import TestSupport
import Testing

@Suite("Effect")
struct EffectTests {
    @Test("A23: doNothing is never started; an empty sequence is, and completes")
    func a23_doNothing() {
        #expect(!Effect<Void, Int>.doNothing.doesSomething)
        #expect(Effect<Void, Int>.sequence([]).doesSomething)
        let hand = Hand()
        let rig = Rig<Int>(.doNothing, .concat(.sequence([]), hand.effect("next")))
        #expect(hand.log.all == ["start next"])
        #expect(rig.output.actions.isEmpty)
        #expect(!Effect<Void, Int>.doNothing.withToken("t").doesSomething)
        #expect(Effect<Void, Int>.doNothing.withToken("t").token == nil)
    }

    @Test("just, sequence: their actions in order, then the end")
    func synchronous() {
        let rig = Rig<Int>(.just(1), .sequence(2, 3), .sequence([4, 5]), .just { _ in 6 })
        #expect(rig.output.actions == [1, 2, 3, 4, 5, 6])
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("A24: every action has the source of the line that made the effect, also `just {}` and through maps")
    func a24_sources() async {
        let source = ActionSource(file: "File", function: "function", line: 7)
        let line = UInt(#line) + 2
        let rig = Rig<String>(
            .just("just"),
            .just { _ in "closure" },
            .sequence("sequence"),
            .sequence(["array"]),
            .promise(token: "t") { _, done in done("promise") },
            Effect<Void, Int>.just(0).map { "map \($0)" },
            .just("from", from: source),
            .just(from: source) { _ in "closure from" },
            .sequence("sequence from", from: source),
            .sequence(["array from"], from: source),
            .promise(token: "t", from: source) { _, done in done("promise from") }
        )
        #expect(rig.output.dispatched.all.prefix(6).map(\.dispatcher.line) == (line..<line + 6).map { $0 })
        #expect(rig.output.dispatched.all.prefix(6).allSatisfy { $0.dispatcher.file.hasSuffix("EffectTests.swift") })
        #expect(rig.output.dispatched.all.dropFirst(6).map(\.dispatcher) == Array(repeating: source, count: 5))
    }

    @Test("A24: wrappers may pass on where they were called as `String`s")
    func a24_textsOfWrappers() {
        func say(file: String = #file, function: String = #function, line: UInt = #line) -> [Effect<Void, Int>] {
            [
                .just(1, file: file, function: function, line: line),
                .just({ _ in 2 }, file: file, function: function, line: line),
                .sequence(3, 4, file: file, function: function, line: line),
                .sequence([5], file: file, function: function, line: line),
                .promise(token: "t", file: file, function: function, line: line) { _, done in done(6) },
            ]
        }
        let source = ActionSource(file: #filePath, function: #function, line: #line + 1)
        let rig = Rig<Int>(.merge(say(file: #filePath)))
        #expect(rig.output.dispatched.all == (1...6).map { DispatchedAction($0, dispatcher: source) })
    }

    @Test("fireAndForget does its work when it is started, and dispatches nothing")
    func fireAndForget() {
        let log = Recorder<String>()
        let effect = Effect<Void, Int>.fireAndForget { log.record("done") }
        #expect(log.all.isEmpty)
        let rig = Rig<Int>(effect, .fireAndForget { context in log.record("with \(type(of: context.dependencies))") })
        #expect(log.all == ["done", "with ()"])
        #expect(rig.output.actions.isEmpty)
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("promise: the first callback counts, without one it goes on")
    func promise() {
        let callbacks = Shared<[@Sendable (Int) -> Void]>([])
        let rig = Rig<Int>(.promise(token: "t") { _, done in callbacks.update { $0.append(done) } })
        #expect(rig.middleware.runningEffects == 1)
        callbacks.value[0](1)
        callbacks.value[0](2)
        #expect(rig.output.actions == [1])
        #expect(rig.middleware.runningEffects == 0)
    }

    @Test("A21: promise honours its token: it is replaced and cancelled by it")
    func a21_promiseToken() {
        let callbacks = Shared<[@Sendable (Int) -> Void]>([])
        let promise = Effect<Void, Int>.promise(token: "t") { _, done in callbacks.update { $0.append(done) } }
        #expect(promise.token == AnyHashable("t"))
        #expect(promise.policy == .replace)
        #expect(Effect<Void, Int>.promise(token: "t", policy: .serial) { _, _ in }.policy == .serial)
        let rig = Rig<Int>(promise, promise)
        callbacks.value[0](1)
        #expect(rig.output.actions.isEmpty)
        callbacks.value[1](2)
        #expect(rig.output.actions == [2])
        let other = Rig<Int>(promise, .toCancel("t"))
        callbacks.value[2](3)
        #expect(other.output.actions.isEmpty)
        #expect(other.middleware.runningEffects == 0)
    }

    @Test("map and ignoringDependencies keep token, doNothing and what toCancel reaches")
    func mapped() {
        let hand = Hand()
        let effect: Effect<Void, Int> = hand.effect("a", token: "t")
        #expect(effect.map(String.init).token == AnyHashable("t"))
        let ignoring: Effect<String, Int> = effect.ignoringDependencies()
        #expect(ignoring.token == AnyHashable("t"))
        #expect(!Effect<Void, Int>.doNothing.map(String.init).doesSomething)
        let nothing: Effect<String, Int> = Effect<Void, Int>.doNothing.ignoringDependencies()
        #expect(!nothing.doesSomething)

        let output = Output<String>()
        let middleware = EffectMiddleware<Int, String, Int, Int>(dependencies: 0) { action, _, _ in
            let inner: Effect<Void, Int> = action == 0 ? hand.effect("a", token: "t") : .toCancel("t")
            return inner.map { "\($0)" }.ignoringDependencies()
        }
        middleware.run(0, output)
        hand.send("a", 5)
        middleware.run(1, output)
        hand.send("a", 6)
        #expect(hand.log.all == ["start a", "cancel a"])
        #expect(output.actions == ["5"])
        #expect(middleware.runningEffects == 0)
    }

    @Test("the context carries the dependencies")
    func dependencies() {
        let output = Output<String>()
        let middleware = EffectMiddleware<Int, String, Int, String>(dependencies: "world") { _, _, state in
            .just { context in "\(context.dependencies) \(state())" }
        }
        middleware.run(0, output, state: 3)
        #expect(output.actions == ["world 3"])
    }
}
