// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceEffects
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

    @Test("what stands for asAfterReducer: reversed, as an IO runs from left to right")
    func asAfterReducer() {
        let log = Recorder<Int>()
        let works = (1...3).map { number in IO<Int> { _ in log.record(number) } }
        works.reversed().reduce(.identity, <>).run { _ in }
        #expect(log.all == [3, 2, 1])
    }
}
