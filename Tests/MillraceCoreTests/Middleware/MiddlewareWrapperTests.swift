// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

/// A wrapper as a stranger writes one.
private struct Counted<Base: MiddlewareProtocol>: MiddlewareWrapper {
    var base: Base
    let count: Shared<Int>

    func handle(
        action: Base.InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<Base.StateType>,
        next: BaseHandle
    ) -> IO<Base.OutputActionType> {
        count.update { $0 += 1 }
        return next(action, dispatcher, state)
    }
}

/// One that changes nothing at all.
private struct Plain<Base: MiddlewareProtocol>: MiddlewareWrapper {
    var base: Base
}

/// One with other types: texts instead of numbers.
private struct Parsed<Base: MiddlewareProtocol<Int, String, Int>>: MiddlewareWrapper {
    typealias InputActionType = String
    typealias OutputActionType = String
    typealias StateType = [Int]
    var base: Base

    func handle(
        action: String,
        from dispatcher: ActionSource,
        state: @escaping GetState<[Int]>,
        next: BaseHandle
    ) -> IO<String> {
        Int(action).map { next($0, dispatcher, { state().count }) } ?? .pure()
    }

    func afterReduce(
        action: String,
        from dispatcher: ActionSource,
        state: @escaping GetState<[Int]>,
        output: AnyActionHandler<String>,
        next: BaseAfterReduce
    ) {
        if let number = Int(action) { next(number, dispatcher, { state().count }, output) }
    }

    mutating func bind(_ binding: MiddlewareBinding<String, [Int]>) {
        base.bind(binding.lifted(state: binding.state.map(\.count)))
    }
}

@Suite("MiddlewareWrapper")
struct MiddlewareWrapperTests {
    private let log = Recorder<String>()
    private let sink = SinkSpy<String>()
    private var late: LateSpy<Int, String, Int> { LateSpy(name: "late", log: log, output: "x") }

    @Test("forwards everything: calls, the probe, names, the canceller, binding")
    func forwards() {
        let cancelled = Shared(0)
        let inner = late.named("inner") <> Cancellable(cancelled: cancelled).named("cancel")
        let count = Shared(0)
        let wrapped = Plain(base: Counted(base: inner, count: count))
        let names = BoundNames()
        let bound = wrapped.bound(binding(to: { 7 }, collecting: names))
        #expect(names.all.map(\.name.description) == ["inner", "cancel"])
        cycle(bound, 1, state: Shared(7), output: sink)
        #expect(count.value == 1)
        #expect(log.all == ["late handle", "late after 1 1 7"])
        #expect(sink.log.all.map(\.action) == ["x"])
        let probed = Recorder<String>()
        cycle(bound, 1, state: Shared(7), probe: ProbeSpy(log: probed), output: sink)
        #expect(count.value == 2, "a probe does not pass by the wrapper")
        #expect(probed.all == ["began inner", "ended inner", "began cancel", "ended cancel"])
        wrapped.effectCanceller.cancelAll()
        #expect(cancelled.value == 1)
    }

    @Test("has an afterReduce if the base has one")
    func hasAfterReduce() {
        let spy = Spy<Int, String, Int>(name: "spy", log: log)
        #expect(!Plain(base: spy).hasAfterReduce)
        #expect(Plain(base: late).hasAfterReduce)
    }

    @Test("may have other types than its base, which keeps its reader and its name")
    func otherTypes() {
        let reader = Shared<StateReader<Int>?>(nil)
        let base = Bound { reader.value = $0.state } <> late
        let bound = Parsed(base: base.named("base")).bound(to: { [1, 2, 3] })
        #expect(reader.value?() == 3)
        #expect(reader.value?.withState { $0 * 2 } == 6)
        cycle(bound, "5", state: Shared([1, 2, 3]), output: sink)
        cycle(bound, "no number", state: Shared([1, 2, 3]), output: sink)
        #expect(log.all == ["late handle", "late after 5 1 3"])
    }

    @Test("the binding names the innermost named middleware")
    func names() {
        let names = Recorder<String>()
        let spy = Bound { names.record($0.name?.description ?? "none") }
        _ = (spy <> spy.named("a") <> Plain(base: spy).named("b").named("c")).bound(to: { 0 })
        #expect(names.all == ["none", "a", "b"])
    }
}

/// Tells how it is bound.
private struct Bound: MiddlewareProtocol {
    let tell: (MiddlewareBinding<String, Int>) -> Void

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<String> { .pure() }

    mutating func bind(_ binding: MiddlewareBinding<String, Int>) { tell(binding) }
}

private struct Cancellable: MiddlewareProtocol {
    let cancelled: Shared<Int>

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<String> { .pure() }

    var effectCanceller: EffectCanceller { EffectCanceller { [cancelled] in cancelled.update { $0 += 1 } } }
}
