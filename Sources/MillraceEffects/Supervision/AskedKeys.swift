// SPDX-License-Identifier: Apache-2.0

/// The keys that were asked for last, in order, each with its definition. It finds the difference to the keys that are
/// asked for now.
///
/// **Cost.** One comparison for each unchanged key at the beginning and at the end; one table lookup for each old and
/// each new key between. A key that stays where it is costs no allocation.
///
/// If the key type is optional, nil asks for nothing, any number of times.
@usableFromInline
struct AskedKeys<Key: Hashable, Definition: Equatable> {
    @usableFromInline
    struct Entry {
        @usableFromInline let key: Key
        @usableFromInline let definition: Definition

        @inlinable
        init(key: Key, definition: Definition) {
            self.key = key
            self.definition = definition
        }

        @inlinable
        func isEqual(_ other: Entry) -> Bool { key == other.key && definition == other.definition }
    }

    @usableFromInline
    struct Difference {
        /// The keys that are no longer asked for.
        @usableFromInline var stopping: [Key] = []
        /// The positions of keys that are new or whose definition has changed, in order.
        @usableFromInline var starting: [Int] = []

        @inlinable
        init() {}
    }

    @usableFromInline var entries: [Entry] = []
    /// The keys of `entries`, without nil.
    @usableFromInline var keys: Set<Key> = []
    /// The number of `entries` whose key occurs before in `entries`.
    @usableFromInline var twins = 0
    /// The key that asks for nothing; nil if the type has none.
    @usableFromInline let none: Key?

    @inlinable
    init() {
        none = (Key.self as? any ExpressibleByNilLiteral.Type).map { Self.makeNone($0) } ?? nil
    }

    @inlinable
    static func makeNone<Optional: ExpressibleByNilLiteral>(_: Optional.Type) -> Key? {
        Optional(nilLiteral: ()) as? Key
    }

    @inlinable
    func asks(_ entry: Entry) -> Bool { none == nil || entry.key != none }

    /// Replaces the entries by those that are asked for now, and returns the difference. If two have the same key, the
    /// first counts.
    ///
    /// - Parameter isAnew: Whether all effects are to be started, also unchanged ones.
    @inlinable
    mutating func ask(for count: Int, isAnew: Bool, _ entryAt: (Int) -> Entry) -> Difference {
        // A key that occurs twice may be at both ends of the changed range: then all entries are compared.
        guard !isAnew, twins == 0 else { return rebuild(count, isAnew: isAnew, entryAt) }
        let shorter = min(count, entries.count)
        var head = 0
        while head < shorter, entries[head].isEqual(entryAt(head)) { head += 1 }
        var tail = 0
        while tail < shorter - head, entries[entries.count - 1 - tail].isEqual(entryAt(count - 1 - tail)) { tail += 1 }
        let old = head..<entries.count - tail
        let new = head..<count - tail
        if old.isEmpty, new.isEmpty { return Difference() }
        let added = new.map(entryAt)
        var addedKeys: Set<Key> = []
        let gone = entries[old].filter(asks)
        let definitions = Dictionary(uniqueKeysWithValues: gone.map { ($0.key, $0.definition) })
        var difference = Difference()
        for (position, entry) in zip(new, added) where asks(entry) {
            let before = definitions[entry.key]
            guard before != nil || !keys.contains(entry.key), addedKeys.insert(entry.key).inserted else {
                return rebuild(count, isAnew: isAnew, entryAt)
            }
            if before != entry.definition { difference.starting.append(position) }
        }
        difference.stopping = gone.map(\.key).filter { !addedKeys.contains($0) }
        keys.subtract(difference.stopping)
        keys.formUnion(addedKeys)
        entries.replaceSubrange(old, with: added)
        return difference
    }

    @inlinable
    mutating func rebuild(_ count: Int, isAnew: Bool, _ entryAt: (Int) -> Entry) -> Difference {
        let before = entries
        let definitions = Dictionary(before.map { ($0.key, $0.definition) }) { first, _ in first }
        var difference = Difference()
        entries = (0..<count).map(entryAt)
        keys.removeAll(keepingCapacity: true)
        twins = 0
        for (position, entry) in entries.enumerated() where asks(entry) {
            if !keys.insert(entry.key).inserted {
                twins += 1
            } else if isAnew || definitions[entry.key] != entry.definition {
                difference.starting.append(position)
            }
        }
        var stopped: Set<Key> = []
        for entry in before where asks(entry) && !keys.contains(entry.key) && stopped.insert(entry.key).inserted {
            difference.stopping.append(entry.key)
        }
        return difference
    }
}
