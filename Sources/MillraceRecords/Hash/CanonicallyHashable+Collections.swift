// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MillraceCore

extension CanonicalHasher {
    /// Combines the number of elements, then each of them in order.
    mutating func combine<Elements: Collection>(inOrder elements: Elements) throws(CanonicalHashError) {
        let plan = HashPlan.of(Elements.Element.self)
        combine(word: UInt64(elements.count))
        var index = 0
        for element in elements {
            try combine(element, by: plan) { "[\(index)]" }
            index += 1
        }
    }

    /// Combines an element of a collection, which an error names by `step`.
    mutating func combine<Element>(
        _ element: Element,
        by plan: HashPlan,
        _ step: () -> String
    ) throws(CanonicalHashError) {
        try withUnsafePointer(to: element) { (place) throws(CanonicalHashError) in
            do throws(CanonicalHashError) {
                try plan.run(UnsafeRawPointer(place), into: &self)
            } catch {
                throw error.inside(step())
            }
        }
    }
}

extension Array: CanonicallyHashable {
    /// Combines the count, and the elements in order.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        try hasher.combine(inOrder: self)
    }
}

extension ArraySlice: CanonicallyHashable {
    /// Combines the count, and the elements in order.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        try hasher.combine(inOrder: self)
    }
}

extension ContiguousArray: CanonicallyHashable {
    /// Combines the count, and the elements in order.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        try hasher.combine(inOrder: self)
    }
}

extension KeyedArray: CanonicallyHashable {
    /// Combines the count, and the elements in order.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        try hasher.combine(inOrder: self)
    }
}

extension Set: CanonicallyHashable {
    /// Combines the count, and the elements, whatever their order.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        let plan = HashPlan.of(Element.self)
        try hasher.combineUnordered(self) { (element, hasher) throws(CanonicalHashError) in
            try hasher.combine(element, by: plan) { "element" }
        }
    }
}

extension Dictionary: CanonicallyHashable {
    /// Combines the count, and the entries, whatever their order.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        let keys = HashPlan.of(Key.self)
        let values = HashPlan.of(Value.self)
        try hasher.combineUnordered(self) { (entry, hasher) throws(CanonicalHashError) in
            try hasher.combine(entry.key, by: keys) { "key" }
            try hasher.combine(entry.value, by: values) { "[\(entry.key)]" }
        }
    }
}

extension Data: CanonicallyHashable {
    /// Combines the bytes.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }
}

extension URL: CanonicallyHashable {
    /// Combines the text of the absolute URL.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(text: absoluteString)
    }
}

extension Foundation.Decimal: CanonicallyHashable {
    /// Combines the text of the number.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(text: description)
    }
}

extension Date: CanonicallyHashable {
    /// Combines the bit pattern of the seconds.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(word: timeIntervalSinceReferenceDate.bitPattern)
    }
}

extension UUID: CanonicallyHashable {
    /// Combines the sixteen bytes.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        withUnsafeBytes(of: uuid) { hasher.combine(bytes: $0) }
    }
}
