// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MillraceCombine
import TestSupport
import Testing

/// Rows of the migration guide that no other test holds.
@Suite("Migration", .timeLimit(.minutes(5)))
@MainActor
struct MigrationTests {
    private final class Place: @unchecked Sendable {
        // Unchecked: everything happens on the main queue.
        var store: ReduxStoreBase<Int, [Int]>?
    }

    @Test("an action dispatched inside a reducer comes after the one that is reduced, and neither change is lost")
    func dispatchInReducer() async {
        let place = Place()
        let store = ReduxStoreBase(
            subject: .native(initialValue: []),
            reducer: Reducer<Int, [Int]>.reduce { action, seen in
                if action == 1 { place.store?.dispatch(2) }
                seen.append(action)
            },
            middleware: IdentityMiddleware<Int, Int, [Int]>()
        )
        place.store = store
        store.dispatch(1)
        await store.drain()
        #expect(store.state == [1, 2])
        place.store = nil
    }

    @Test("effects start before the works of the same action, wherever their middleware stands")
    func effectsBeforeWorks() {
        let log = Recorder<String>()
        let effects = EffectMiddleware<Int, Int, Int, Void>.onAction { _, _, state in
            log.record("asked \(state())")
            return .fireAndForget { log.record("effect") }
        }
        let work = AnyMiddleware<Int, Int, Int> { _, _, _ in IO { _ in log.record("work") } }
        let store = ReduxStoreBase(
            subject: .native(initialValue: 0),
            reducer: Reducer<Int, Int>.reduce { action, state in state = action },
            middleware: work <> effects <> work
        )
        store.dispatch(1)
        #expect(log.all == ["asked 1", "effect", "work", "work"])
    }

    @Test("dispatch queues are schedulers, and their times are there, with no import of OpenCombine's")
    func dispatchSchedulers() async {
        let (values, value) = AsyncStream<Int>.makeStream()
        let cancellable = [1, 2].publisher
            .delay(for: .milliseconds(1), scheduler: DispatchQueue.main)
            // Serial: on a concurrent queue the completion may overtake a value, which is then dropped.
            .receive(on: DispatchQueue(label: "serial"))
            .sink { value.yield($0) }
        var seen: [Int] = []
        for await value in values {
            seen.append(value)
            if seen.count == 2 { break }
        }
        #expect(Set(seen) == [1, 2])
        cancellable.cancel()
        DispatchQueue.asap(options: .init(qos: .userInitiated)) { #expect(DispatchQueue.isMainQueue) }
    }
}
