// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

// Getters, readers and IOs that are used at unusual moments.
extension LiftToElementMiddlewareTests {
    /// Runs the IO that `held` has, and returns one that notes the element which its reader reads.
    private struct Flushing: MiddlewareProtocol {
        final class Held: @unchecked Sendable {
            // Unchecked because only the thread of the test uses it.
            var io: IO<ShopAction>?
        }

        let held = Held()
        let log = Recorder<Int>()
        var reader: StateReader<Item>?

        mutating func bind(_ binding: MiddlewareBinding<ItemAction, Item>) { reader = binding.state }

        func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<
            ItemAction
        > {
            held.io?.run(AnyActionHandler { _ in })
            let (log, reader) = (log, reader)
            return IO { _ in if let reader { log.record(reader().id * 10 + reader.withState { $0.id }) } }
        }
    }

    @Test("an IO that runs inside handle of another element reads its own element")
    func heldIO() {
        let part = Flushing()
        let bound = lift(part).bound(to: { live.value })
        part.held.io = bound.handle(action: .add(1, "x"), from: .a, state: { live.value })
        let second = bound.handle(action: .add(2, "x"), from: .a, state: { live.value })
        second.run(AnyActionHandler { _ in })
        #expect(part.log.all == [11, 22])
    }

    /// Keeps the getter of `handle`, and has an `afterReduce`.
    private struct KeepingInHandle: MiddlewareProtocol {
        let getters = Shared<[GetState<Item>]>([])

        func handle(action: ItemAction, from dispatcher: ActionSource, state: @escaping GetState<Item>) -> IO<
            ItemAction
        > {
            getters.update { $0.append(state) }
            return .pure()
        }

        func afterReduce(
            action: ItemAction,
            from dispatcher: ActionSource,
            state: @escaping GetState<Item>,
            output: AnyActionHandler<ItemAction>
        ) {}
    }

    @Test("a wrapper may leave out afterReduce: a getter that was kept stays with its element")
    func withoutAfterReduce() {
        let part = KeepingInHandle()
        let bound = lift(part).bound(to: { live.value })
        for id in [1, 2, 3] { _ = bound.handle(action: .add(id, "x"), from: .a, state: { live.value }) }
        #expect(part.getters.value.map { $0().id } == [1, 2, 3])
    }

    @Test("a getter that is called while the element of the action ends finds another one")
    func endingElement() {
        let part = KeepingMade()
        let made = Shared(0)
        let bound = part.liftToOptional(
            inputAction: { (action: Int) in action },
            outputAction: { $0 },
            state: { (_: Int) -> Made? in
                Made(
                    number: made.update {
                        $0 += 1; return $0
                    },
                    end: Ending(part)
                )
            }
        ).bound(to: { 0 })
        _ = bound.handle(action: 1, from: .a, state: { 0 })
        #expect(part.ends.all == [2])
        // The getter keeps an element, which keeps the part and so the getter.
        part.getter.value = nil
    }
}

/// An element that ends with a call of the getter that its middleware has kept.
private struct Made: Sendable {
    var number: Int
    // Of a protocol type, so that the element cannot be in registers, and is destroyed where it is.
    var end: any Sendable
}

private final class Ending: Sendable {
    private let part: KeepingMade

    init(_ part: KeepingMade) {
        self.part = part
    }

    deinit {
        // Once, because the call makes another element, which ends here, too.
        guard part.ends.count == 0, let getter = part.getter.value else { return }
        part.ends.record(0)
        let number = getter().number
        part.ends.clear()
        part.ends.record(number)
    }
}

private struct KeepingMade: MiddlewareProtocol, Sendable {
    let getter = Shared<GetState<Made>?>(nil)
    let ends = Recorder<Int>()

    func handle(action: Int, from dispatcher: ActionSource, state: @escaping GetState<Made>) -> IO<Int> {
        getter.value = state
        return .pure()
    }

    func afterReduce(
        action: Int,
        from dispatcher: ActionSource,
        state: @escaping GetState<Made>,
        output: AnyActionHandler<Int>
    ) {}
}
