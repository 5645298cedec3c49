// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceEffects
import MillraceJournal
import TestSupport
import Testing

@Suite("Rows and limits of effects that wait for the journal", .timeLimit(.minutes(5)))
struct HeldEffectTests {
    typealias Store = ReduxStoreBase<Deed, Sums>

    private func open(_ middleware: EffectMiddleware<Deed, Deed, Sums, Void>) async throws -> Store {
        try await Store(
            recovering: SlowDisk().journal(),
            initialState: Sums(),
            reducer: summing,
            middleware: middleware
        )
    }

    @Test("a long row of effects that wait for one, and end at once, does not grow the stack")
    func longRow() async throws {
        let count = isSanitized ? 5_000 : 20_000
        let end = Shared<(@Sendable () -> Void)?>(nil)
        let ran = Shared(0)
        let middleware = EffectMiddleware<Deed, Deed, Sums, Void>.onAction { deed, _, _ in
            if case .found = deed {
                return Effect(token: "t", policy: .serial) { _, sink in end.value = { sink.complete() } }
            }
            return Effect.fireAndForget { ran.update { $0 += 1 } }.withToken("t", policy: .serial)
        }
        let store = try await open(middleware)
        store.dispatch(.found(0))
        for number in 1...count { store.dispatch(.tell(number)) }
        await store.drain()
        #expect(await eventually { end.value != nil })
        #expect(middleware.figures.waiting == count && ran.value == 0)
        end.value?()
        #expect(ran.value == count)
        #expect(middleware.figures.running + middleware.figures.waiting == 0)
        _ = await store.shutdown()
    }

    @Test("the capacity refuses no effect that is over at once, and none takes the room of others")
    func capacity() async throws {
        let refused = Shared<[String]>([])
        let options = EffectOptions(capacity: 2) { label in refused.update { $0.append("\(label)") } }
        let middleware = EffectMiddleware<Deed, Deed, Sums, Void>.onAction(options: options) { deed, _, _ in
            switch deed {
            case .tell(0): Effect { _, _ in }
            case .tell(1): .just(.add(2))
            case .tell(3): .sequence(.add(4), .add(5))
            default: .doNothing
            }
        }
        let disk = SlowDisk()
        let store = try await Store(
            recovering: disk.journal(),
            initialState: Sums(),
            reducer: summing,
            middleware: middleware
        )
        disk.gate.close()
        // While the disk is slow, the answers wait, and the second lasting effect has room. The third has none.
        for number in [0, 1, 3, 1, 3, 0, 0] { store.dispatch(.tell(number)) }
        #expect(await eventually { store.metrics.reduced == 7 })
        disk.gate.open()
        for _ in 0..<3 { await store.drain() }
        #expect(await eventually { store.state.deeds.count == 6 })
        #expect(store.state.deeds == [2, 4, 5, 2, 4, 5])
        #expect(refused.value.count == 1 && middleware.figures.refused == 1)
        #expect(middleware.figures.running == 2)
        _ = await store.shutdown()
    }
}
