// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A log that is generated in memory while it is read. The producer that takes a block generates it.
final class GeneratedChunks: ChunkSource {
    private let generator: LineGenerator
    private let interruption: Interruption
    private let next = Atomic<Int>(0)

    init(events: Int, seed: UInt64, interruption: Interruption) {
        generator = LineGenerator(seed: seed, total: events)
        self.interruption = interruption
    }

    func next(into buffer: ChunkBuffer) -> Chunk? {
        guard !interruption.isRequested else { return nil }
        // Relaxed: the threads share only this number.
        let block = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard block < generator.blocks else { return nil }
        buffer.grow(to: LineGenerator.block * LineGenerator.maximumLength, keeping: 0)
        let end = generator.write(block: block, to: buffer.base)
        return Chunk(index: UInt64(block), input: 0, pass: 0, lines: 0..<(end - buffer.base))
    }
}
