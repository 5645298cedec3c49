// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A text and the number of its events.
struct KeyCount: Equatable, Sendable {
    var key: KeyText
    var count: UInt64
}

extension KeyText: Comparable {
    static func < (first: KeyText, second: KeyText) -> Bool { precedes(first, second) }

    /// Returns whether a text comes before another one by its bytes. A prefix of a text comes before that text.
    static func precedes(_ first: KeyText, _ second: KeyText) -> Bool {
        let order = first.bytes.withUnsafeBytes { one in
            second.bytes.withUnsafeBytes { two -> Int32 in
                guard let start = one.baseAddress, let other = two.baseAddress else { return 0 }
                return memcmp(start, other, min(one.count, two.count))
            }
        }
        return order != 0 ? order < 0 : first.bytes.count < second.bytes.count
    }
}

extension KeyTable {
    /// Returns the texts with the most events, at most `limit`. Texts with equal counts are in the order of their
    /// bytes.
    func top(_ limit: Int) -> [KeyCount] {
        topPlaces(limit).map { KeyCount(key: texts[$0], count: counts[$0]) }
    }

    /// Returns the indices of these texts.
    func topPlaces(_ limit: Int) -> [Int] {
        let all = texts.indices.dropFirst().lazy.filter { counts[$0] > 0 }
        return limit < 256 ? best(limit, of: all) : Array(all.sorted(by: leads).prefix(limit))
    }

    /// Returns the first few texts. It does not sort the rest, which may be millions.
    private func best(_ limit: Int, of places: some Sequence<Int>) -> [Int] {
        var best: [Int] = []
        for place in places {
            if best.count == limit {
                guard leads(place, best[limit - 1]) else { continue }
                best.removeLast()
            }
            best.insert(place, at: best.firstIndex { leads(place, $0) } ?? best.count)
        }
        return best
    }

    private func leads(_ first: Int, _ second: Int) -> Bool {
        counts[first] != counts[second]
            ? counts[first] > counts[second] : KeyText.precedes(texts[first], texts[second])
    }

    /// Returns all texts with events, in the order of their bytes.
    func sortedByKey() -> [KeyCount] {
        zip(texts, counts).dropFirst().filter { $1 > 0 }.map { KeyCount(key: $0, count: $1) }
            .sorted { KeyText.precedes($0.key, $1.key) }
    }
}
