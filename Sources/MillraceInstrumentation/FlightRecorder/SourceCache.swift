// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Caches the ids of the texts of sources, by the texts' addresses. A cache pays off because few places dispatch most
/// actions.
struct SourceCache {
    private struct Entry {
        var identity: ActionSource.StaticIdentity
        var file: UInt64
        var function: UInt64
    }

    private static let size = 64
    private var entries = [Entry?](repeating: nil, count: SourceCache.size)

    mutating func ids(of source: ActionSource, intern: (String) -> UInt64) -> (file: UInt64, function: UInt64) {
        guard let identity = source.staticIdentity else { return (intern(source.file), intern(source.function)) }
        let mixed = (identity.file ^ identity.function &* 31) &* 0x9E37_79B9_7F4A_7C15
        let place = Int(mixed >> 58)
        if let entry = entries[place], entry.identity == identity { return (entry.file, entry.function) }
        let entry = Entry(identity: identity, file: intern(source.file), function: intern(source.function))
        entries[place] = entry
        return (entry.file, entry.function)
    }
}
