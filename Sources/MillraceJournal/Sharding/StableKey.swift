// SPDX-License-Identifier: Apache-2.0

public import struct Foundation.UUID

/// A key whose shard is the same in every process. A sharded store with a journal needs such keys, because after a restart
/// each action must find the shard that has the state of its key.
///
/// Integers, strings, `UUID` and `[UInt8]` conform. A type with such a raw value only has to say so
/// (`extension Symbol: StableKey {}`). Another type adds what it consists of:
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
/// Equal keys must add the same. What a type adds must never change: the actions of a key would come to another shard.
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
    /// Adds the number. The same number in two types adds the same.
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
    /// Swift calls two strings equal that have different bytes if they show the same text: `é` may be one Unicode scalar or
    /// two. Their shards may differ, so bring such keys to one form before.
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
