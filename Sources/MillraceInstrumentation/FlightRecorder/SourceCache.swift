// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceRuntime

/// Remembers, for each number of a source, under which ids the ring has its file and its function. The numbers are
/// those of the process's table of sources (millrace_source.h). A cache pays off because few lines of a program dispatch
/// most actions. Its owner must call `deallocate()`.
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
    private static let noNumber = UInt64.max
    static let size = 256
    /// The memory of the cache, in bytes.
    static var bytes: Int { size * MemoryLayout<Entry>.stride }
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(
            repeating: Entry(number: Self.noNumber, place: Place(texts: 0, line: 0)),
            count: Self.size
        )
    }

    /// Frees the memory. The cache must not be used afterwards.
    func deallocate() {
        entries.deallocate()
    }

    /// Returns the ring's ids for the source of an action.
    @inline(__always)
    func place(of action: MeasuredAction, in ring: EventRing) -> Place {
        if let number = action.sourceNumber, let place = cached(number) { return place }
        return find(action.source, action.sourceNumber, in: ring)
    }

    /// Returns the ring's ids for the source with this number; nil if the cache does not have it.
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

    /// Adds the texts of a source to the ring. If the source has a number, also adds it to the cache.
    func place(of source: ActionSource, _ number: UInt32?, intern: (String) -> UInt64) -> Place {
        let place = Place(
            texts: intern(source.file) << 32 | intern(source.function) & 0xFFFF_FFFF,
            line: UInt64(source.line) & 0xFFFF_FFFF
        )
        if let number { entries[Int(number) & (Self.size - 1)] = Entry(number: UInt64(number), place: place) }
        return place
    }
}
