// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import TestSupport
import Testing

/// Stores behind a mistake: the histories must show each of them.
@Suite("Linearizability of broken stores", .serialized)
struct BrokenStoreTests {
    enum Mistake: CaseIterable, Sendable {
        /// An action is forgotten, or dispatched twice.
        case forgets, doubles
        /// An action is kept back until the next one of any thread was dispatched.
        case reorders
        /// A read returns the state of an earlier read.
        case oldRead
        /// A read lacks the first action.
        case holeInRead
        /// A drain returns at once.
        case hastyDrain
        /// A read on demand does not wait: it returns what a read returned at the last drain.
        case hastyRead
        /// An urgent action waits in the queue as any other.
        case lazyUrgent
        /// An urgent action is kept back until the next one of any thread was dispatched, or is forgotten.
        case reordersUrgent, forgetsUrgent
        /// A cancel does nothing.
        case deafCancel
        /// An offer to a store with room is full.
        case refuses
        /// An offer is rejected, but its action is dispatched.
        case lies
        /// A dispatch that would wait for room is dropped.
        case impatient
        /// A drain of a bounded store returns at once.
        case hastyBoundedDrain
    }

    /// Makes its mistake in about every fourth call that it concerns.
    final class Broken: StoreSubject {
        private let store: any StoreSubject
        private let mistake: Mistake
        private let memory: Locked<Memory>

        private struct Memory {
            var random: SplitMix64
            var kept: NumberedAction?
            var urgent: UInt8?
            var read: [UInt8] = []
        }

        init(_ store: any StoreSubject, _ mistake: Mistake, _ seed: UInt64) {
            self.store = store
            self.mistake = mistake
            memory = Locked(Memory(random: SplitMix64(seed: seed)))
        }

        private func errs(_ kind: Mistake) -> Bool {
            kind == mistake && memory.withLock { Int.random(in: 0..<4, using: &$0.random) == 0 }
        }

        func dispatch(_ action: NumberedAction) {
            if errs(.forgets) { return }
            if mistake == .impatient, let number = action.number { return _ = store.offer(number) }
            if errs(.doubles) { store.dispatch(action) }
            guard mistake == .reorders else { return store.dispatch(action) }
            let kept = memory.withLock { memory in
                defer { memory.kept = memory.kept == nil ? action : nil }
                return memory.kept
            }
            guard let kept else { return }
            store.dispatch(action)
            store.dispatch(kept)
        }

        func dispatch(urgent number: UInt8) {
            if errs(.forgetsUrgent) { return }
            if mistake == .lazyUrgent { return store.dispatch(.append(number)) }
            guard mistake == .reordersUrgent else { return store.dispatch(urgent: number) }
            let kept = memory.withLock { memory in
                defer { memory.urgent = memory.urgent == nil ? number : nil }
                return memory.urgent
            }
            guard let kept else { return }
            store.dispatch(urgent: number)
            store.dispatch(urgent: kept)
        }

        func offer(_ number: UInt8) -> Bool {
            if errs(.refuses) { return false }
            if errs(.lies) {
                _ = store.offer(number)
                return false
            }
            return store.offer(number)
        }

        func emit(_ number: UInt8, token: Int) { store.emit(number, token: token) }
        func cancel(token: Int) { if !errs(.deafCancel) { store.cancel(token: token) } }

        func read() -> [UInt8] {
            let state = mistake == .hastyRead ? memory.withLock { $0.read } : store.read()
            if errs(.holeInRead) { return Array(state.dropFirst()) }
            if errs(.oldRead) { return memory.withLock { $0.read } }
            memory.withLock { $0.read = state }
            return state
        }

        func drain() {
            if errs(.hastyDrain) || errs(.hastyBoundedDrain) { return }
            store.drain()
            if mistake == .hastyRead {
                let state = store.read()
                memory.withLock { $0.read = state }
            }
        }

        /// Repairs the store, so that the last read tells what it has done.
        func end() -> [UInt8] {
            if let kept = memory.withLock({ $0.kept }) { store.dispatch(kept) }
            if let urgent = memory.withLock({ $0.urgent }) { store.dispatch(urgent: urgent) }
            store.drain()
            store.drain()
            return store.read()
        }
    }

    @Test("each mistake is found within 300 histories", arguments: Mistake.allCases)
    func found(mistake: Mistake) async {
        let finding = Shared<UInt64?>(nil)
        // A thread of its own, as the calls block.
        await elsewhere { finding.value = Self.firstFinding(mistake) }
        #expect(finding.value != nil)
    }

    private static func firstFinding(_ mistake: Mistake) -> UInt64? {
        let blocks = [.impatient, .hastyBoundedDrain].contains(mistake)
        let isBounded = blocks || [.refuses, .lies].contains(mistake)
        let options = StoreOptions(
            engine: .thread(),
            publication: mistake == .hastyRead ? .onDemand : .batch,
            places: blocks ? 1 : isBounded ? 4 : nil,
            blocks: blocks,
            hasEffects: !isBounded
        )
        return (1...300 as ClosedRange<UInt64>).first { seed in
            let broken = Broken(NumberedStore(options), mistake, seed)
            var record = HistoryRecorder(options: options).record(seed: seed, on: broken)
            record.order = broken.end()
            if case .notLinearizable = record.check(options.traits) { return true }
            return false
        }
    }
}
