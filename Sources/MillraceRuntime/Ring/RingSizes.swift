// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// The checked sizes of a ring, and the memory layout that results from them.
struct RingSizes {
    let words, capacity, textBytes: UInt64
    let layout: millrace_ring_layout

    init(capacity: Int, words: Int, textBytes: Int) throws(EventRingError) {
        let most = Int(MILLRACE_RING_MOST_BYTES)
        guard capacity >= 1 else { throw .sizes("a capacity of \(capacity): ask for 1 or more.") }
        guard (1...Int(MILLRACE_RING_MOST_WORDS)).contains(words) else {
            throw .sizes("\(words) words an entry: ask for 1 to \(MILLRACE_RING_MOST_WORDS).")
        }
        guard (0...most).contains(textBytes) else {
            throw .sizes("\(textBytes) bytes for texts: ask for 0 to \(most).")
        }
        self.words = UInt64(words)
        self.textBytes = UInt64((textBytes + 7) / 8 * 8)
        var power: UInt64 = 2
        while power < capacity, power <= most { power *= 2 }
        self.capacity = power
        guard let layout = Self.layout(self.words, power, self.textBytes) else {
            var possible = power
            while possible > 1, Self.layout(self.words, possible, self.textBytes) == nil { possible /= 2 }
            throw .sizes(
                possible > 1
                    ? "a capacity of \(capacity), which takes more than 1 GiB: ask for \(possible) or less."
                    : "\(textBytes) bytes for texts: with the entries that is more than 1 GiB. Ask for less."
            )
        }
        self.layout = layout
    }

    private static func layout(_ words: UInt64, _ capacity: UInt64, _ textBytes: UInt64) -> millrace_ring_layout? {
        var layout = millrace_ring_layout()
        return millrace_ring_lay_out(words, capacity, textBytes, &layout) == MILLRACE_OK ? layout : nil
    }
}
