// SPDX-License-Identifier: Apache-2.0

/// A value as text, a line a leaf, that is the same whenever the value is: dictionaries and sets are in the order of
/// their texts, and objects are told without their address.
///
/// ```swift
/// dumpToString(Cart(owner: "Ada", tags: ["b", "a"]))
/// // Cart
/// //   owner: "Ada"
/// //   tags: 2 members
/// //     "a"
/// //     "b"
/// ```
///
/// Reflects, so it takes microseconds a line. Not for reading back.
/// - Parameters:
///   - something: the value.
///   - indent: how many spaces a level is indented by; 0 to 64.
public func dumpToString<T>(_ something: T, indent: Int = 2) -> String {
    StateDump(something, indent: indent).lines.map(\.shown).joined(separator: "\n")
}
