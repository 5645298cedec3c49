// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import MillraceEffects
import TestSupport
import Testing

/// Room that an effect waited for and did not use, and room in another shard.
@Suite("Room that effects do not use", .timeLimit(.minutes(5)))
struct EffectUnusedRoomTests {
    /// Takes even numbers as its part, and 1; writing another one changes nothing.
    struct Wide: Sendable {
        var number: Int
        var hasPart = true

        var part: Int? {
            get { hasPart ? number : nil }
            set {
                guard let newValue else { return hasPart = false }
                if newValue == 1 || newValue % 2 == 0 { (number, hasPart) = (newValue, true) }
            }
        }
    }

    @Test("actions that a lift drops need no room: the store goes on", arguments: [1, 16])
    func droppedByLift(capacity: Int) async throws {
        let base = SimpleEffectMiddleware<Int, Int>.onAction { action, _, _ in
            guard action == 1 else { return .doNothing }
            return .stream { _ in
                AsyncStream { continuation in
                    for element in 1_000..<1_200 { continuation.yield(element) }
                    continuation.finish()
                }
            }
        }
        let store = ReduxStoreBase(
            initialState: [Int](),
            reducer: Reducer<Wide, [Int]>.reduce { action, log in log.append(action.number) },
            middleware: base.lift(action: \Wide.part, state: \[Int].count),
            engine: .thread(),
            publication: .onDemand,
            capacity: .bounded(capacity)
        )
        try await store.send(Wide(number: 1))
        #expect(await eventually { base.figures.completed == 1 })
        try await store.send(Wide(number: 5))
        await store.drain()
        #expect(store.state == [1] + Array(stride(from: 1_000, to: 1_200, by: 2)) + [5])
        #expect(store.offer(Wide(number: 6)) == .accepted)
    }

    /// A bounded store whose room comes when the effect has just been cancelled.
    final class LateRoom: ActionSink<Int>, Backpressure, @unchecked Sendable {
        // Unchecked because the base class is; the counters are shared ones.
        let cancel: @Sendable () -> Void
        let accepted = Shared(0)
        let ended = Shared(0)

        init(cancel: @escaping @Sendable () -> Void) {
            self.cancel = cancel
            super.init()
            findRoom = { [unowned self] _ in self }
        }

        override func accept(_ dispatchedAction: sending DispatchedAction<Int>, cause: ActionCause, run: EffectRun?) {
            accepted.update { $0 += 1 }
        }

        func reserveRoom() async -> RoomReservation {
            cancel()
            return .reserved
        }

        func endReservation() { ended.update { $0 += 1 } }
    }

    @Test("a place that is granted to an effect that was cancelled meanwhile is given back")
    func cancelledMeanwhile() async {
        let kept = Shared<SimpleEffectMiddleware<Int, Int>?>(nil)
        let room = LateRoom { kept.value?.cancelAll() }
        let middleware = SimpleEffectMiddleware<Int, Int>.onAction { _, _, _ in
            .stream { _ in AsyncStream { $0.yield(1) } }
        }
        kept.value = middleware
        middleware.handle(action: 0, from: .here(), state: { 0 }).run(AnyActionHandler(sink: room))
        #expect(await eventually { room.ended.value == 1 })
        #expect(room.accepted.value == 0)
        #expect(await eventually { middleware.runningEffects == 0 })
        kept.value = nil
    }

    struct Event: Sendable {
        var shard: Int
        var number: Int
    }

    @Test("a stream whose actions go to another shard waits for room there", arguments: [1, 4])
    func otherShard(capacity: Int) async {
        let (streams, each) = (4, 100)
        let isHeld = DispatchSemaphore(value: 0)
        let store = ShardedStore(
            shards: 2,
            by: { (event: Event) in event.shard },
            initialState: { _ in 0 },
            reducer: Reducer<Event, Int>.reduce { event, count in
                if event.number == -1 { isHeld.wait() }
                if event.number > 0 { count += 1 }
            },
            middleware: { _ in
                SimpleEffectMiddleware<Event, Int>.onAction { event, _, _ in
                    guard event.number == 0 else { return .doNothing }
                    let target = 1 - event.shard
                    return .stream { _ in
                        AsyncStream { continuation in
                            for number in 1...each { continuation.yield(Event(shard: target, number: number)) }
                            continuation.finish()
                        }
                    }
                }
            },
            capacity: .bounded(capacity)
        )
        let target = store.shard(for: 1)
        #expect(target !== store.shard(for: 0))
        // The shard that is to answer stands still, so all that it is sent has to wait.
        target.dispatch(control: Event(shard: 1, number: -1))
        for _ in 0..<streams { store.dispatch(control: Event(shard: 0, number: 0)) }
        #expect(await eventually { target.metrics.depth >= UInt64(capacity) })
        for _ in 0..<1_000 { await Task.yield() }
        // One for each stream between its look and its push.
        #expect(target.metrics.depth <= UInt64(capacity + streams))
        isHeld.signal()
        let expected = UInt64(streams * each)
        #expect(await eventually { target.metrics.reduced >= expected + 1 })
        #expect(target.metrics.highWaterMark <= UInt64(capacity + streams + 1))
        await store.drain()
        #expect(store.metrics.pending == 0)
    }
}
