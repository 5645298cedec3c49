// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// An estimate of the memory that a value keeps alive and does not share with another value.
///
/// Counts arrays, dictionaries, sets, strings and Data, also inside structures, cases and tuples. It does not look into
/// objects, because a copy of a value shares them, and a lock may guard their fields. In a large collection it looks at
/// some elements and assumes that the others are like them. It looks at no more than 500 values in all.
struct HeldBytes {
    private(set) var bytes = 0.0
    private var placesLeft = 500
    private static var header: Double { 32 }
    private static var sample: Int { 16 }

    static func of(_ value: Any, besides other: Any?) -> UInt64 {
        var held = HeldBytes()
        held.add(value, besides: other, depth: 0)
        return UInt64(min(held.bytes, 1e18))
    }

    mutating func add(_ value: Any, besides other: Any?, depth: Int) {
        guard placesLeft > 0, depth < mostDepth else { return }
        placesLeft -= 1
        if let other, haveSameBits(value, other) { return }
        // A cast costs less than a mirror.
        if value is Int { return }
        if let text = value as? String {
            // Shorter strings are stored in the value itself.
            if text.utf8.count > 15 { bytes += Self.header + Double(text.utf8.count) }
        } else if objectIn(value) != nil {
            bytes += Self.header
        } else if let parts = value as? any SizedParts {
            parts.addHeld(to: &self, besides: other, depth: depth)
        } else if value is any RandomAccessCollection, let data = value as? any RandomAccessCollection<UInt8> {
            if data.count > 14 { bytes += Self.header + Double(data.count) }
        } else {
            addChildren(Mirror(reflecting: value), besides: other.map { Mirror(reflecting: $0) }, depth)
        }
    }

    private mutating func addChildren(_ mirror: Mirror, besides other: Mirror?, _ depth: Int) {
        let others = other?.children.makeIterator()
        switch mirror.displayStyle {
        case .collection, .dictionary, .set:
            // The type has storage of an unknown layout, which is counted like that of an array.
            guard let first = mirror.children.first else { return }
            let count = mirror.children.count
            bytes += Self.header + Double(count * stride(of: first.value))
            addSample(of: count, mirror.children.lazy.map(\.value), depth)
        default:
            for child in mirror.children {
                guard placesLeft > 0 else { return }
                add(child.value, besides: others?.next()?.value, depth: depth + 1)
            }
        }
    }

    /// Adds the storage of `places` elements, each of `stride` bytes.
    mutating func addStorage(_ places: Int, _ stride: Int) {
        bytes += Self.header + Double(places) * Double(stride)
    }

    /// Adds the bytes that `count` values hold. Looks at the first values and assumes that the others are like them.
    mutating func addSample(of count: Int, _ values: some Sequence<Any>, _ depth: Int) {
        let before = bytes
        var looked = 0
        for value in values.prefix(Self.sample) where placesLeft > 0 {
            add(value, besides: nil, depth: depth + 1)
            looked += 1
        }
        if looked > 0 { bytes = before + (bytes - before) * Double(count) / Double(looked) }
    }

    /// Adds the bytes of the elements that differ from those of `other`. If many differ, looks at the first ones, and
    /// assumes that the rest of the range is like them.
    mutating func addElements(_ elements: any ElementParts, _ count: Int, besides other: Any, _ depth: Int) {
        guard let difference = elements.difference(to: other, places: &placesLeft) else { return }
        let before = bytes
        var place = difference.old.lowerBound
        let (begin, end) = (place, difference.old.upperBound)
        for _ in 0..<Self.sample {
            guard place < end, placesLeft > 0 else { break }
            let isInBoth = place < difference.new.upperBound
            let counterpart: Any? = isInBoth ? .some(difference.after.element(at: place)) : nil
            add(elements.element(at: place), besides: counterpart, depth: depth + 1)
            place += 1
            if isInBoth, place < min(end, difference.new.upperBound) {
                place += elements.countSame(from: place, as: difference.after, from: place, places: &placesLeft)
            }
        }
        if place < end { bytes = before + (bytes - before) * Double(end - begin) / Double(place - begin) }
    }
}

/// A value that keeps its parts in memory of its own.
protocol SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int)
}

extension ElementParts where Self: RandomAccessCollection {
    fileprivate func addHeld(_ capacity: Int, to held: inout HeldBytes, besides other: Any?, _ depth: Int) {
        held.addStorage(capacity, MemoryLayout<Element>.stride)
        if _isPOD(Element.self) { return }
        if let other = other as? Self {
            held.addElements(self, count, besides: other, depth)
        } else {
            let step = Swift.max(1, count / 16)
            held.addSample(of: count, stride(from: 0, to: count, by: step).lazy.map { element(at: $0) }, depth)
        }
    }
}

extension Array: SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int) {
        addHeld(capacity, to: &held, besides: other, depth)
    }
}

extension ContiguousArray: SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int) {
        addHeld(capacity, to: &held, besides: other, depth)
    }
}

extension ArraySlice: SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int) {
        addHeld(Swift.max(capacity, count), to: &held, besides: other, depth)
    }
}

extension KeyedArray: SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int) {
        // The index that finds the elements by their ids.
        held.addStorage(count, 8)
        addHeld(count, to: &held, besides: other, depth)
    }
}

extension Dictionary: SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int) {
        held.addStorage(capacity, MemoryLayout<(Key, Value)>.stride + 1)
        if _isPOD(Key.self), _isPOD(Value.self) { return }
        guard let other = other as? Self else {
            return held.addSample(of: 2 * count, lazy.flatMap { [$0.key as Any, $0.value as Any] }, depth)
        }
        // Both dictionaries share the keys and most of the values. To compare all values would take too long, so this
        // compares 16, and takes the share of changed ones for the whole. If none of the 16 has changed, it counts one
        // value of the size of the first.
        let changed = prefix(16).filter { pair in
            other[pair.key].map { !haveSameBits(pair.value as Any, $0 as Any) } ?? true
        }
        let share = changed.isEmpty ? 1 : Swift.max(1, count * changed.count / Swift.min(16, count))
        held.addSample(of: share, (changed.isEmpty ? Array(prefix(1)) : changed).lazy.map { $0.value as Any }, depth)
    }
}

extension Set: SizedParts {
    func addHeld(to held: inout HeldBytes, besides other: Any?, depth: Int) {
        held.addStorage(capacity, MemoryLayout<Element>.stride + 1)
        // Members are rarely changed, and members that both sets have are shared.
        if !_isPOD(Element.self), other == nil { held.addSample(of: count, lazy.map { $0 as Any }, depth) }
    }
}

/// Returns whether two values have the same bits, so that they share all that they hold.
func haveSameBits(_ left: Any, _ right: Any) -> Bool {
    func haveSameBitsHere<Value>(_ left: Value) -> Bool {
        guard let right = right as? Value else { return false }
        return withUnsafeBytes(of: left) { left in
            withUnsafeBytes(of: right) { right in left.elementsEqual(right) }
        }
    }
    return type(of: left) == type(of: right) && _openExistential(left, do: haveSameBitsHere)
}

private func stride(of value: Any) -> Int {
    func strideHere<Value>(_ value: Value) -> Int { MemoryLayout<Value>.stride }
    return _openExistential(value, do: strideHere)
}
