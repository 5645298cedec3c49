// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

extension EventRing {
    /// Returns a copy of the ring's content. Any thread; the writer does not wait.
    ///
    /// Entries that the writer overwrites meanwhile are left out and counted (``EventRingSnapshot/torn``). The last
    /// entry is the newest one at the start of the call. The call costs some nanoseconds a word, and memory for the
    /// copy.
    public func snapshot() -> EventRingSnapshot {
        var first: UInt64 = 0
        let end = millrace_ring_window(ring, &first)
        let words = wordsPerEntry
        // Filled from its end, with the newest entry first.
        var copy = [UInt64](repeating: 0, count: Int(end - first) * words)
        var oldest = end
        copy.withUnsafeMutableBufferPointer { copy in
            // If an entry was overwritten, all older entries were overwritten, too.
            while oldest > first {
                let target = copy.baseAddress! + Int(oldest - 1 - first) * words
                guard millrace_ring_read(ring, oldest - 1, target) else { break }
                oldest -= 1
            }
        }
        var entries: [EventRingEntry] = []
        entries.reserveCapacity(Int(end - oldest))
        for position in oldest..<end {
            let start = Int(position - first) * words
            entries.append(EventRingEntry(sequence: position, slice: copy[start..<start + words]))
        }
        // Read after the entries, so that the table has every text that they refer to.
        var used: UInt64 = 0
        let table = millrace_ring_texts(ring, &used)
        let texts = RingTexts(UnsafeRawBufferPointer(start: table, count: Int(used)))
        return EventRingSnapshot(
            origin: EventRingOrigin(ring.pointee.header.pointee),
            writer: millrace_ring_has_ended(ring) ? .ended : .running,
            entries: entries,
            torn: oldest - first,
            overwritten: first,
            texts: texts.all,
            missedTexts: millrace_ring_texts_missed(ring)
        )
    }
}
