// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.UUID

/// A key whose shard is the same in every process. A sharded store with a journal needs such keys, because after a
/// restart each action must find the shard that has the state of its key.
///
/// Integers, strings, `UUID` and `[UInt8]` conform. For a type whose raw value is one of these, an empty conformance is
/// enough (`extension Symbol: StableKey {}`). Another type adds what it consists of:
///
/// ```swift
/// extension AccountKey: StableKey {
///     func combine(into hasher: inout StableHasher) {
///         bank.combine(into: &hasher)
///         number.combine(into: &hasher)
///     }
/// }
/// ```
///
/// Equal keys must add the same bytes (see the exception for `String`), and a type must always add the same ones:
/// otherwise, after an update, actions go to another shard than the state of their key.
public protocol StableKey: Hashable, SendableMetatype {
    /// Adds the key to a hash. Called for each action, on the dispatching thread.
    func combine(into hasher: inout StableHasher)
}

extension StableKey {
    @usableFromInline var stableHash: UInt64 {
        var hasher = StableHasher()
        combine(into: &hasher)
        return hasher.finish()
    }
}

extension StableKey where Self: FixedWidthInteger {
    /// Adds the number. Equal numbers of two integer types give the same hash.
    public func combine(into hasher: inout StableHasher) { hasher.combine(UInt64(truncatingIfNeeded: self)) }
}

extension Int: StableKey {}
extension Int8: StableKey {}
extension Int16: StableKey {}
extension Int32: StableKey {}
extension Int64: StableKey {}
extension UInt: StableKey {}
extension UInt8: StableKey {}
extension UInt16: StableKey {}
extension UInt32: StableKey {}
extension UInt64: StableKey {}

extension String: StableKey {
    /// Adds the UTF-8 bytes and their number.
    ///
    /// Equal strings can have different bytes: `é` is one Unicode scalar or two. Such keys may get different shards, so
    /// normalise them before.
    public func combine(into hasher: inout StableHasher) {
        hasher.combine(bytes: utf8)
        hasher.combine(UInt64(utf8.count))
    }
}

extension Array: StableKey where Element == UInt8 {
    /// Adds the bytes and their number.
    public func combine(into hasher: inout StableHasher) {
        hasher.combine(bytes: self)
        hasher.combine(UInt64(count))
    }
}

extension UUID: StableKey {
    /// Adds the 16 bytes.
    public func combine(into hasher: inout StableHasher) {
        withUnsafeBytes(of: uuid) { hasher.combine(bytes: $0) }
    }
}

extension StableKey where Self: RawRepresentable, RawValue: StableKey {
    /// Adds the raw value.
    public func combine(into hasher: inout StableHasher) { rawValue.combine(into: &hasher) }
}
