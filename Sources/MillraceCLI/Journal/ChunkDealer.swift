// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Gives each producer the same chunks in every run: producer k of n gets the chunks k, k + n, k + 2n …
///
/// The producers take turns, so one of them reads at a time. They parse at the same time.
final class ChunkDealer: Sendable {
    private let source: any ChunkSource
    /// Whether an input could not be read to its end, or the journal has failed. Then what was read in part must not be
    /// counted as a whole.
    private let isBroken: @Sendable () -> Bool
    private let turns: [DispatchSemaphore]
    private let isOver = Atomic<Bool>(false)

    init(_ source: any ChunkSource, to producers: Int, isBroken: @escaping @Sendable () -> Bool) {
        self.source = source
        self.isBroken = isBroken
        // A semaphore must not end below its first value, so all begin with 0.
        turns = (0..<producers).map { _ in DispatchSemaphore(value: 0) }
        turns[0].signal()
    }

    /// The chunks of one producer.
    func hand(_ producer: Int) -> any ChunkSource { Hand(dealer: self, producer: producer) }

    /// Ends the turns: no producer gets another chunk.
    func end() {
        // Relaxed: the semaphores order it.
        isOver.store(true, ordering: .relaxed)
        turns.forEach { $0.signal() }
    }

    private func next(into buffer: ChunkBuffer, for producer: Int) -> Chunk? {
        turns[producer].wait()
        defer { turns[(producer + 1) % turns.count].signal() }
        guard !isOver.load(ordering: .relaxed) else { return nil }
        let chunk = source.next(into: buffer)
        if chunk != nil, !isBroken() { return chunk }
        isOver.store(true, ordering: .relaxed)
        return nil
    }

    private struct Hand: ChunkSource {
        let dealer: ChunkDealer
        let producer: Int

        func next(into buffer: ChunkBuffer) -> Chunk? { dealer.next(into: buffer, for: producer) }
    }
}
