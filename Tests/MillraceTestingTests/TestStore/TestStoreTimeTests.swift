// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
import MillraceTesting
import Synchronization
import Testing

@Suite("Test stores: effects and time")
struct TestStoreTimeTests {
    private typealias Effects = SimpleEffectMiddleware<Int, [Int]>
    private static let appending = Reducer<Int, [Int]>.reduce { action, state in state.append(action) }

    private final class Attempts: Sendable {
        let count = Mutex(0)
    }

    private func store(
        _ effect: @escaping @Sendable (Int) -> Effect<Void, Int>
    ) -> TestStore<Int, [Int]> {
        TestStore(
            initialState: [],
            reducer: Self.appending,
            middleware: Effects.onAction { action, _, _ in action < 100 ? effect(action) : .doNothing }
        )
    }

    @Test("serial: one after another")
    func serial() {
        let store = store { .just($0 + 100).delay(for: .seconds(1)).withToken("load", policy: .serial) }
        store.send(1) { $0 = [1] }
        store.send(2) { $0 = [1, 2] }
        store.assertRunning("load", count: 1)
        store.assertWaiting("load", count: 1)
        store.advance(by: .seconds(1))
        store.receive(101) { $0.append(101) }
        store.assertRunning("load", count: 1)
        store.assertWaiting("load", count: 0)
        store.advance(by: .seconds(1))
        store.receive(102) { $0.append(102) }
        store.finish()
    }

    @Test("concurrent: two at a time")
    func concurrent() {
        let store = store { .just($0 + 100).delay(for: .seconds(1)).withToken("load", policy: .concurrent(max: 2)) }
        for number in 1...3 { store.send(number) { $0.append(number) } }
        store.assertRunning("load", count: 2)
        store.assertWaiting("load", count: 1)
        store.advance(by: .seconds(2))
        for number in 101...103 { store.receive(number) { $0.append(number) } }
        store.finish()
    }

    @Test("the order of the app's store is that of the test store", arguments: [ActionOrder.fifo, .internalFirst])
    func order(_ order: ActionOrder) {
        // Two answers come at the same time, and each causes an action.
        let store = TestStore(
            initialState: [],
            reducer: Self.appending,
            middleware: Effects.onAction { action, _, _ in
                switch action {
                case 0: .merge(.just(1).delay(for: .seconds(1)), .just(2).delay(for: .seconds(1)))
                case 1, 2: .just(10 * action)
                default: .doNothing
                }
            },
            order: order
        )
        store.send(0) { $0 = [0] }
        store.advance(by: .seconds(1))
        for action in order == .fifo ? [1, 2, 10, 20] : [1, 10, 2, 20] {
            store.receive(action) { $0.append(action) }
        }
        store.finish()
    }

    @Test("retry: the waits pass by hand")
    func retry() {
        struct Offline: Error {}
        let attempts = Attempts()
        let store = store { _ in
            .task(token: "load", retry: .exponential(retries: 2, initial: .seconds(1), jitter: 0)) { _ in
                let attempt = attempts.count.withLock { count in
                    count += 1
                    return count
                }
                if attempt < 3 { throw Offline() }
                return 100 + attempt
            } catchErrors: { _ in
                500
            }
        }
        store.send(1) { $0 = [1] }
        #expect(attempts.count.withLock { $0 } == 1)
        store.advance(by: .seconds(1))
        #expect(attempts.count.withLock { $0 } == 2)
        store.assertRunning("load")
        store.advance(by: .milliseconds(1999))
        #expect(attempts.count.withLock { $0 } == 2)
        store.advance(by: .milliseconds(1))
        store.receive(103) { $0.append(103) }
        store.finish()
    }

    @Test("throttle and timeout")
    func throttle() {
        let store = store { .just($0 + 100).throttle(for: .seconds(1), token: "save") }
        store.send(1) { $0.append(1) }
        store.receive(101) { $0.append(101) }
        store.send(2) { $0.append(2) }
        store.send(3) { $0.append(3) }
        store.advance(by: .seconds(1))
        store.receive(103) { $0.append(103) }
        store.advance(by: .seconds(1))
        store.finish()

        let slow = self.store { Effect.just($0 + 100).delay(for: .seconds(9)).timeout(after: .seconds(2)) { 404 } }
        slow.send(1) { $0.append(1) }
        slow.advance(by: .seconds(2))
        slow.receive(404) { $0.append(404) }
        slow.finish()
    }

    @Test("an effect that waits for something outside is still there at the end, with advice")
    func outside() {
        let found = failures {
            let store = store { _ in
                Effect { _, _ in }.named("callback")  // completes never
            }
            store.send(1) { $0.append(1) }
        }
        #expect(
            found.map(\.message) == [
                """
                At the end of the test, callback still runs. Advance the clock, cancel the effects by an action, or call \
                skipRunningEffects(). No timer is set: the effects wait for something outside of the test store, as \
                Task.sleep or a callback.
                """
            ]
        )
    }

    @Test("a callback between two steps is seen at the next step")
    func callback() {
        let sinks = Mutex<[@Sendable (Int) -> Void]>([])
        withoutActuallyEscaping({ (send: @escaping @Sendable (Int) -> Void) in sinks.withLock { $0.append(send) } }) {
            keep in
            nonisolated(unsafe) let keep = keep  // called on this thread, by the steps
            let store = store { _ in
                Effect { _, sink in
                    keep { number in
                        sink.send(DispatchedAction(number))
                        sink.complete()
                    }
                }
            }
            store.send(1) { $0.append(1) }
            sinks.withLock { $0 }.first?(200)
            store.receive(200) { $0.append(200) }
            store.finish()
        }
    }

    @Test("one middleware in many stores, side by side")
    func sideBySide() async {
        let shared = Effects.onAction { action, _, _ in
            action < 100 ? .just(action + 100).delay(for: .seconds(1)).withToken("load") : .doNothing
        }
        await withTaskGroup(of: Void.self) { tasks in
            for number in 0..<8 {
                tasks.addTask {
                    for _ in 0..<50 {
                        let store = TestStore(initialState: [], reducer: Self.appending, middleware: shared)
                        store.send(number) { $0 = [number] }
                        await Task.yield()
                        store.assertRunning("load", count: 1)
                        store.advance(by: .seconds(1))
                        store.receive(number + 100) { $0.append(number + 100) }
                        store.finish()
                    }
                }
            }
        }
    }

    @Test("actions that cause each other for ever are found")
    func endless() {
        let found = failures {
            let store = store { .just($0) }
            store.send(7) { $0.append(7) }
            store.settle()
        }
        #expect(found.count == 1)
        #expect(found.first?.message.contains("cause each other for ever, at last '7'") == true)
    }
}
