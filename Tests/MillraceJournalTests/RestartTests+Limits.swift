// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceEffects
import MillraceJournal
import MillraceRecords
import TestSupport
import Testing

/// Limits: of the effects that may be under way, and of the actions that may wait.
extension RestartTests {
    @Test("with the most unfinished effects the pipeline waits until one ends")
    func mostUnfinished() async throws {
        let outside = Outside()
        let (store, _) = try await open("a", outside, effects: .restart(mostUnfinished: 2))
        for number in 1...4 { store.dispatch(.tell(number)) }
        #expect(await eventually { outside.begun.value.count == 2 })
        try await Task.sleep(for: .milliseconds(50))
        #expect(outside.numbers == [1, 2])
        outside.allowed.value = [1, 2, 3, 4]
        #expect(await eventually { store.state.found == 10 })
        _ = await store.shutdown()
    }

    @Test(
        "in a bounded store the pipeline goes on while an effect waits for room, also after a recovery",
        arguments: [false, true]
    )
    func waitsForRoom(blocksThread: Bool) async throws {
        let mayAnswer = Shared(false)
        let begun = Shared(0)
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .tell = deed else { return .doNothing }
            @Sendable func waitToAnswer() async {
                begun.update { $0 += 1 }
                while !mayAnswer.value, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
            }
            guard blocksThread else {
                return .stream { _ in
                    AsyncStream { continuation in
                        Task {
                            await waitToAnswer()
                            for _ in 1...20 { continuation.yield(.found(1)) }
                            continuation.finish()
                        }
                    }
                }
            }
            return Effect { _, sink in
                Task {
                    await waitToAnswer()
                    // A thread that may block.
                    Thread.detachNewThread {
                        for _ in 1...20 { sink.send(DispatchedAction(.found(1))) }
                        sink.complete()
                    }
                }
            }
        }
        func open(_ name: String) async throws -> Store {
            try await Store(
                recovering: Journal<Deed>(directory: "\(folder.path)/\(name)", codec: .bitwise(version: 1)),
                initialState: Sums(),
                reducer: summing,
                middleware: effects,
                capacity: .bounded(4),
                effects: .restart(mostUnfinished: 1)
            )
        }
        /// Fills the queue, while the pipeline waits for the effect; then lets the effect answer.
        func fill(_ store: Store) async {
            #expect(await eventually { begun.value == 1 })
            while store.offer(.add(1)) == .accepted {}
            mayAnswer.value = true
        }
        let store = try await open("a")
        store.dispatch(.tell(1))
        #expect(await eventually { begun.value == 1 })
        try await store.journaled()
        try crash("a", to: "b")
        await fill(store)
        #expect(await eventually { store.state.found == 20 })
        _ = await store.shutdown()

        (mayAnswer.value, begun.value) = (false, 0)
        let again = try await open("b")
        await fill(again)
        #expect(await eventually { again.state.found == 20 })
        _ = await again.shutdown()
    }

    @Test("a store that is abandoned while its journal is full ends, although an effect has ended meanwhile")
    func abandonedWhileFull() async throws {
        let (outside, slow) = (Outside(), SlowDisk())
        let effects = SimpleEffectMiddleware<Deed, Sums>.onAction { deed, _, _ in
            guard case .tell(let number) = deed else { return .doNothing }
            return .task { _ in
                outside.begun.update { $0.append((number, nil)) }
                while !outside.allowed.value.contains(number) { try? await Task.sleep(for: .milliseconds(1)) }
                return nil
            }
        }
        let journal: Journal<Deed> = slow.journal(try BitwiseCodec(version: 1), capacity: 2)
        let store = try await Store(
            recovering: journal,
            initialState: Sums(),
            reducer: summing,
            middleware: effects,
            effects: .restart
        )
        store.dispatch(.tell(1))
        #expect(await eventually { outside.numbers == [1] })
        // One action after the other, until the pipeline waits in the middle of one, and none waits behind it.
        slow.gate.close()
        while journal.metrics.waitsForJournal == 0 {
            store.dispatch(.add(1))
            #expect(await eventually { store.metrics.pending == 0 || journal.metrics.waitsForJournal > 0 })
        }
        outside.allowed.value = [1]
        #expect(await eventually { effects.runningEffects == 0 })
        let report = await store.shutdown(deadline: .milliseconds(1))
        #expect(!report.isComplete)
        slow.gate.open()
        // The journal has written the rest, and nothing waits for an action that it never got.
        #expect(await store.shutdown(deadline: .seconds(20)).isComplete)
    }
}
