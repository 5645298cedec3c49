// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// Copies entries and texts from the file of a ring, while its writer may be running.
///
/// `pread` guarantees no order between the words that it copies. So the proof in millrace_ring.h does not hold here,
/// and stamps alone are not trusted. Instead the reader reads the count of entries (`next`) before it copies a run of
/// entries, and again after:
/// - Count before: every entry at a position below it was complete when the copy began.
/// - Count after: the writer stores `next = q` before it begins to write position q. Had the copy seen a word of
///   position p + capacity, which overwrites p, the count after would be at least p + capacity. So the entry is kept if
///   the count is less, and given up if it is greater.
/// - If the count equals p + capacity, the reader reads the slot's stamp after the count. Stamps only grow, so the
///   stamp says whether the writer has begun to overwrite the entry.
///
/// An entry that is kept did not change during the copy, so a wrong stamp in it means that the file is damaged.
struct RingFileReader {
    private let file: RingFile
    private let header: millrace_ring_header
    private let layout: millrace_ring_layout
    private var reasons: [String] = []

    /// The copied entries, newest first.
    private var entries: [EventRingEntry] = []
    private var torn: UInt64 = 0

    init(file: RingFile, header: millrace_ring_header) {
        var layout = millrace_ring_layout()
        _ = millrace_ring_lay_out(header.words, header.capacity, header.text_bytes, &layout)
        self.layout = layout
        self.header = header
        if file.bytes < header.total_bytes {
            reasons = ["it has \(file.bytes) bytes of \(header.total_bytes)"]
        }
        self.file = file
    }

    mutating func read() throws(EventRingError) -> EventRingSnapshot {
        let writer = try file.writer()
        let end = try next()
        try copyWindow(end: end)
        if !reasons.isEmpty { try salvage() }
        // Read after the entries, so that the table has every text that they refer to.
        let texts = try copyTexts()
        let missed = try file.word(at: UInt64(MILLRACE_RING_TEXTS_MISSED_AT)) ?? 0
        let snapshot = EventRingSnapshot(
            origin: EventRingOrigin(header),
            writer: writer,
            entries: entries.reversed(),
            torn: torn,
            overwritten: end > header.capacity ? end - header.capacity : 0,
            texts: texts,
            missedTexts: missed
        )
        guard reasons.isEmpty else {
            throw .damaged(path: file.path, reason: reasons.joined(separator: "; "), partial: snapshot)
        }
        return snapshot
    }

    private func next() throws(EventRingError) -> UInt64 {
        try file.word(at: UInt64(MILLRACE_RING_NEXT_AT)) ?? 0
    }

    private func offset(ofSlot slot: UInt64) -> UInt64 {
        layout.entries_offset + slot * layout.stride * 8
    }

    /// Copies the entries of the window, newest first, because the writer overwrites the oldest first.
    private mutating func copyWindow(end: UInt64) throws(EventRingError) {
        guard end < UInt64.max / 4 else { return reasons.append("its count of entries is impossible") }
        let first = end > header.capacity ? end - header.capacity : 0
        let run = max(1, 65_536 / (layout.stride * 8))
        var upper = end
        while upper > first {
            // A run does not wrap around the end of the file.
            let lap = (upper - 1) / header.capacity * header.capacity
            let lower = max(first, lap, upper > run ? upper - run : 0)
            let words = try copy(slots: lower - lap, Int(upper - lower))
            let after = try next()
            guard after >= end else { return reasons.append("its count of entries went back") }
            for position in (lower..<upper).reversed() {
                guard try isAtRest(position, after: after) else { return torn = position + 1 - first }
                let start = Int(position - lower) * Int(layout.stride)
                guard start + Int(layout.stride) <= words.count, words[start] == stamp(position) else {
                    return reasons.append("an entry is missing or has the stamp of another")
                }
                append(position, words[(start + 1)...])
            }
            upper = lower
        }
    }

    /// Returns whether the writer had not begun to overwrite a position when `after` was read.
    private func isAtRest(_ position: UInt64, after: UInt64) throws(EventRingError) -> Bool {
        let successor = position + header.capacity
        if after != successor { return after < successor }
        let slot = offset(ofSlot: position % header.capacity)
        return try file.word(at: slot) ?? 0 <= stamp(position)
    }

    private func stamp(_ position: UInt64) -> UInt64 { (position + 1) << 1 }

    private func copy(slots slot: UInt64, _ count: Int) throws(EventRingError) -> [UInt64] {
        let bytes = try file.read(count * Int(layout.stride) * 8, at: offset(ofSlot: slot))
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
        }
    }

    private mutating func append(_ position: UInt64, _ words: ArraySlice<UInt64>) {
        entries.append(EventRingEntry(sequence: position, slice: words.prefix(Int(header.words))))
    }

    /// Copies every slot of a damaged file whose stamp is possible, in the order of the stamps.
    private mutating func salvage() throws(EventRingError) {
        entries = []
        let stride = Int(layout.stride)
        let words = try copy(slots: 0, Int(header.capacity))
        for slot in 0..<words.count / stride {
            let stamp = words[slot * stride]
            guard stamp > 0, stamp % 2 == 0, (stamp / 2 - 1) % header.capacity == slot else { continue }
            append(stamp / 2 - 1, words[(slot * stride + 1)...])
        }
        entries.sort { $0.sequence > $1.sequence }
    }

    private mutating func copyTexts() throws(EventRingError) -> [String] {
        guard let used = try file.word(at: UInt64(MILLRACE_RING_TEXT_USED_AT)) else { return [] }
        if used > header.text_bytes { reasons.append("its count of bytes of text is impossible") }
        let bytes = try file.read(Int(min(used, header.text_bytes)), at: layout.text_offset)
        let texts = bytes.withUnsafeBytes { RingTexts($0) }
        if !texts.isWhole { reasons.append("its table of texts is cut off or damaged") }
        return texts.all
    }
}
