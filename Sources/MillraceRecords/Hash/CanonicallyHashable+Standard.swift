// SPDX-License-Identifier: Apache-2.0

extension FixedWidthInteger {
    /// Combines the value in 64 bits, or in 128.
    func combine(into hasher: inout CanonicalHasher) {
        hasher.combine(word: UInt64(truncatingIfNeeded: self))
        if Self.bitWidth > 64 { hasher.combine(word: UInt64(truncatingIfNeeded: self >> 64)) }
    }
}

/// An integer type. The protocol has the method of ``CanonicallyHashable`` for all integers.
public protocol CanonicallyHashableInteger: CanonicallyHashable, FixedWidthInteger {}

extension CanonicallyHashableInteger {
    /// Combines the value.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        combine(into: &hasher)
    }
}

extension Int: CanonicallyHashableInteger {}
extension Int8: CanonicallyHashableInteger {}
extension Int16: CanonicallyHashableInteger {}
extension Int32: CanonicallyHashableInteger {}
extension Int64: CanonicallyHashableInteger {}
extension Int128: CanonicallyHashableInteger {}
extension UInt: CanonicallyHashableInteger {}
extension UInt8: CanonicallyHashableInteger {}
extension UInt16: CanonicallyHashableInteger {}
extension UInt32: CanonicallyHashableInteger {}
extension UInt64: CanonicallyHashableInteger {}
extension UInt128: CanonicallyHashableInteger {}

extension Bool: CanonicallyHashable {
    /// Combines 1 or 0.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(word: self ? 1 : 0)
    }
}

extension Double: CanonicallyHashable {
    /// Combines the bit pattern.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(word: bitPattern)
    }
}

extension Float: CanonicallyHashable {
    /// Combines the bit pattern.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(word: UInt64(bitPattern))
    }
}

extension Unicode.Scalar: CanonicallyHashable {
    /// Combines the value.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(word: UInt64(value))
    }
}

extension String: CanonicallyHashable {
    /// Combines the UTF-8 bytes.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(text: self)
    }
}

extension Substring: CanonicallyHashable {
    /// Combines the UTF-8 bytes.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(text: String(self))
    }
}

extension Character: CanonicallyHashable {
    /// Combines the UTF-8 bytes.
    public func canonicallyHash(into hasher: inout CanonicalHasher) throws(CanonicalHashError) {
        hasher.combine(text: String(self))
    }
}
