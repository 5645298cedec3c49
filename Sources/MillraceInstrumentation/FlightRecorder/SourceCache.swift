// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceRuntime

/// Caches the ring's ids of the texts of sources, by the numbers that the sources have in the table of the process. A
/// cache pays off because few places dispatch most actions. Its owner must call `deallocate()`.
struct SourceCache {
    /// A source as the ring has it.
    struct Place: Equatable {
        /// The id of the file in the high half, that of the function in the low half.
        let texts: UInt64
        let line: UInt64
    }

    private struct Entry {
        var number: UInt64
        var place: Place
    }

    /// No source has this number.
    private static let nobody = UInt64.max
    static let size = 256
    /// The memory of the cache, in bytes.
    static var bytes: Int { size * MemoryLayout<Entry>.stride }
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(
            repeating: Entry(number: Self.nobody, place: Place(texts: 0, line: 0)),
            count: Self.size
        )
    }

    /// Frees the memory. The cache must not be used afterwards.
    func deallocate() {
        entries.deallocate()
    }

    /// Returns the source of an action.
    @inline(__always)
    func place(of action: MeasuredAction, in ring: EventRing) -> Place {
        if let number = action.sourceNumber, let place = cached(number) { return place }
        return find(action.source, action.sourceNumber, in: ring)
    }

    /// Returns the source with a number, if the cache has it.
    @inline(__always)
    func cached(_ number: UInt32) -> Place? {
        let entry = entries[Int(number) & (Self.size - 1)]
        return entry.number == UInt64(number) ? entry.place : nil
    }

    @inline(never)
    private func find(
        _ source: UnsafePointer<Borrowed<ActionSource>>,
        _ number: UInt32?,
        in ring: EventRing
    ) -> Place {
        place(of: source.pointee.value, number) { ring.intern($0) }
    }

    /// Has the texts of a source added to those of the ring, and the source to the cache if it has a number.
    func place(of source: ActionSource, _ number: UInt32?, intern: (String) -> UInt64) -> Place {
        let place = Place(
            texts: intern(source.file) << 32 | intern(source.function) & 0xFFFF_FFFF,
            line: UInt64(source.line) & 0xFFFF_FFFF
        )
        if let number { entries[Int(number) & (Self.size - 1)] = Entry(number: UInt64(number), place: place) }
        return place
    }
}
