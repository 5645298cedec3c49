// SPDX-License-Identifier: Apache-2.0

import EffectTestSupport
import Millrace
import MillraceEffects
import TestSupport
import Testing

@Suite("EffectMiddleware: capacity, figures, observers")
struct EffectOptionsTests {
    @Test("one too many is refused and reported; what is over at once and what replaces is not")
    func capacity() {
        let hand = Hand()
        let output = Output<Int>()
        let refused = Recorder<String>()
        let middleware = EffectMiddleware<String, Int, Int, Void>.onAction(
            options: EffectOptions(capacity: 2, onRefusal: { refused.record("\($0)") })
        ) { action, _, _ in
            switch action {
            case "stop": .merge(.toCancel("a"), .just(9))
            case "whole": Effect.concat(hand.effect("part", token: "part"), .just(8)).withToken("b")
            default: hand.effect(action, token: action)
            }
        }
        for action in ["a", "b", "c", "b", "whole"] { middleware.run(action, output) }
        #expect(hand.log.all == ["start a", "start b", "start b", "cancel b", "cancel b"])
        #expect(refused.all == ["c", "part"])
        #expect(output.actions == [8])
        middleware.run("stop", output)
        #expect(output.actions == [8, 9])
        middleware.run("c", output)
        #expect(hand.log.all.last == "start c")
        var expected = EffectFigures()
        (expected.running, expected.completed, expected.cancelled, expected.refused) = (1, 2, 3, 2)
        #expect(middleware.figures == expected)
        #expect(middleware.figures.total == 8)
    }

    @Test("those that wait count against the capacity")
    func capacityOfWaiting() {
        let hand = Hand()
        let output = Output<Int>()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction(options: EffectOptions(capacity: 10)) {
            _,
            _,
            _ in
            (hand.effect("a") as Effect<Void, Int>).withToken("t", policy: .serial)
        }
        for action in 0..<100 { middleware.run(action, output) }
        #expect(middleware.figures.waiting == 9)
        #expect(middleware.figures.refused == 90)
        for _ in 0..<10 { hand.complete("a") }
        #expect(middleware.figures.completed == 10)
        #expect(middleware.figures.running + middleware.figures.waiting == 0)
    }

    /// Writes down what it is told.
    final class Observer: EffectObserver {
        let log = Recorder<String>()
        let open = Shared<[UInt64: String]>([:])

        func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) {
            let name = name()
            open.update { $0[run] = name }
            log.record("began \(name) of \(cause.parent)")
        }

        func effectEnded(_ run: UInt64, wasCancelled: Bool) {
            let name = open.update { $0.removeValue(forKey: run) } ?? "unknown"
            log.record("\(wasCancelled ? "cancelled" : "ended") \(name)")
        }
    }

    @Test("an observer is told of each beginning and end, with name and cause, and not of what never began")
    func observer() async {
        let observer = Observer()
        let hand = Hand()
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction(options: EffectOptions(observer: observer)) {
            action,
            _,
            _ in
            switch action {
            case 1: (hand.effect("a") as Effect<Void, Int>).withToken("t", policy: .serial)
            case 2: .just(7).named("just")
            case 3: .toCancel("t")
            case 4: hand.effect("b")
            default: .doNothing
            }
        }
        let store = ReduxStoreBase(
            initialState: 0,
            reducer: Reducer<Int, Int>.reduce { _, count in count += 1 },
            middleware: middleware,
            engine: .caller
        )
        store.dispatch(contentsOf: [1, 1, 2, 3, 4])
        hand.complete("b")
        #expect(
            observer.log.all == [
                "began t of 1", "began just of 3", "ended just", "cancelled t", "began effect of 5", "ended effect",
            ]
        )
        #expect(observer.open.value.isEmpty)
    }

    /// Cancels what begins.
    final class Cancelling: EffectObserver {
        let log = Recorder<String>()
        let middleware = Shared<EffectMiddleware<Int, Int, Int, Void>?>(nil)

        func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) {
            log.record("began \(name())")
            middleware.value?.cancelAll()
        }

        func effectEnded(_ run: UInt64, wasCancelled: Bool) {
            log.record(wasCancelled ? "cancelled" : "ended")
        }
    }

    @Test("cancelled while the observer is told of the beginning: it hears of the end, and the body does not run")
    func cancelledWhileObserved() {
        let observer = Cancelling()
        let hand = Hand()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction(
            options: EffectOptions(observer: observer)
        ) { _, _, _ in hand.effect("a", token: "t") }
        observer.middleware.value = middleware
        middleware.run(0, Output())
        observer.middleware.value = nil
        #expect(observer.log.all == ["began t", "cancelled"])
        #expect(hand.log.all.isEmpty)
        #expect(middleware.figures.cancelled == 1)
    }

    @Test("a label says which effect it is")
    func label() {
        struct Item: Identifiable, Sendable { let id = 4 }
        let labels = Recorder<EffectLabel>()
        let base = EffectMiddleware<Int, Int, Item, Void>.onAction { action, _, _ in
            action == 0 ? Effect(token: "t") { _, _ in } : Effect { _, _ in }
        }
        let middleware = base.liftToCollection(
            inputAction: { (action: Int) in ElementIDAction(id: 4, action: action) },
            outputAction: { $0.action },
            stateCollection: { (_: Int) in [Item()] }
        )
        for action in 0...1 { middleware.run(action, Output<Int>()) }
        middleware.cancel { label in
            labels.record(label)
            return true
        }
        #expect(Set(labels.all.map(\.description)) == ["t of 4", "effect of 4"])
        #expect(Set(labels.all.map(\.token)) == [nil, AnyHashable("t")])
        #expect(middleware.figures.cancelled == 2)
    }

    @Test("an observer is told of the effects that count, and figures count no toCancel")
    func counted() {
        let observer = Observer()
        let middleware = EffectMiddleware<Int, Int, Int, Void>.onAction(
            options: EffectOptions(observer: observer)
        ) { action, _, _ in
            switch action {
            case 0: .merge(.just(1), .just(2)).timeout(after: .seconds(60))
            case 1: .merge(.just(1), .just(2).withToken("part"))
            case 2: .toCancel("t")
            case 3: .toCancel { _ in true }
            case 4: .toCancelAll
            default: .doNothing
            }
        }
        middleware.run(0, Output())
        #expect(observer.log.all == ["began effect of 0", "ended effect"])
        #expect(middleware.figures.total == 1)
        middleware.run(1, Output())
        #expect(observer.log.count == 6)
        #expect(middleware.figures.total == 3)
        for action in 2...4 { middleware.run(action, Output()) }
        #expect(observer.log.count == 6)
        #expect(middleware.figures.total == 3)
    }

    @Test("elements are told outer before inner")
    func nestedElements() {
        struct Item: Identifiable, Sendable { let id: String }
        struct List: Identifiable, Sendable {
            let id: Int
            let items = [Item(id: "inner")]
        }
        let base = EffectMiddleware<Int, Int, Item, Void>.onAction { _, _, _ in Effect(token: "t") { _, _ in } }
        let middleware =
            base
            .liftToCollection(
                inputAction: { (action: Int) in ElementIDAction(id: "inner", action: action) },
                outputAction: { $0.action },
                stateCollection: { (list: List) in list.items }
            )
            .liftToCollection(
                inputAction: { (action: Int) in ElementIDAction(id: 1, action: action) },
                outputAction: { $0.action },
                stateCollection: { (_: Int) in [List(id: 1)] }
            )
        middleware.run(0, Output<Int>())
        let labels = Recorder<EffectLabel>()
        middleware.cancel { label in
            labels.record(label)
            return true
        }
        #expect(labels.all.map(\.elements) == [[1, "inner"]])
        #expect(labels.all.map(\.description) == ["t of inner in 1"])
    }

    @Test("effects without a token count against the capacity, too")
    func capacityWithoutTokens() {
        let hand = Hand()
        let middleware = EffectMiddleware<String, Int, Int, Void>.onAction(options: EffectOptions(capacity: 2)) {
            action,
            _,
            _ in
            hand.effect(action)
        }
        for action in ["a", "b", "c"] { middleware.run(action, Output<Int>()) }
        #expect(hand.log.all == ["start a", "start b"])
        #expect(middleware.figures.refused == 1)
        hand.complete("a")
        middleware.run("d", Output<Int>())
        #expect(hand.log.all.last == "start d")
    }
}
