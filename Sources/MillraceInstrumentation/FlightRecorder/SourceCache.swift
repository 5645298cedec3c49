// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Caches the ids of the texts of sources, by the texts' addresses. A cache pays off because few places dispatch most
/// actions. Its owner must call `deallocate()`.
struct SourceCache {
    /// The texts of a source in the binary, and the word of its ids. The first source of a place replaces zeros, which
    /// are the addresses of no text.
    private struct Entry {
        var file: UInt = 0
        var function: UInt = 0
        var lengths: UInt64 = 0
        var word: UInt64 = 0
    }

    private static let size = 64
    private let entries: UnsafeMutablePointer<Entry>

    init() {
        entries = .allocate(capacity: Self.size)
        entries.initialize(repeating: Entry(), count: Self.size)
    }

    /// Frees the memory. The cache must not be used afterwards.
    func deallocate() {
        entries.deallocate()
    }

    /// Returns the id of the source's file in the high half of a word, and that of its function in the low half.
    @inline(__always)
    func word(of source: borrowing ActionSource, intern: (String) -> UInt64) -> UInt64 {
        // Texts that were made at run time have no lasting address.
        guard source.text == nil else { return Self.word(copy source, intern) }
        let mixed = UInt64(source.fileAddress ^ source.functionAddress &* 31) &* 0x9E37_79B9_7F4A_7C15
        let entry = entries + Int(truncatingIfNeeded: mixed &>> 58)
        if entry.pointee.file == source.fileAddress, entry.pointee.function == source.functionAddress,
            entry.pointee.lengths == source.packed &>> 32
        {
            return entry.pointee.word
        }
        return fill(entry, copy source, intern)
    }

    @inline(never)
    private func fill(
        _ entry: UnsafeMutablePointer<Entry>,
        _ source: ActionSource,
        _ intern: (String) -> UInt64
    ) -> UInt64 {
        let word = Self.word(source, intern)
        entry.pointee = Entry(
            file: source.fileAddress,
            function: source.functionAddress,
            lengths: source.packed >> 32,
            word: word
        )
        return word
    }

    private static func word(_ source: ActionSource, _ intern: (String) -> UInt64) -> UInt64 {
        intern(source.file) << 32 | intern(source.function) & 0xFFFF_FFFF
    }
}
