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
/// Of a type that describes itself it is the description alone. An object is told once; where it is reached again it says
/// `Node … as above`.
///
/// Reflects, so it takes microseconds a line. Bounded: after 100,000 lines it ends with a line that says so, and it looks
/// 64 levels deep. Not for reading back.
/// - Parameters:
///   - something: the value.
///   - indent: how many spaces a level is indented by; 0 to 64.
public func dumpToString<T>(_ something: T, indent: Int = 2) -> String {
    StateDump(something, indent: indent, mostLines: 100_000).lines.map(\.shown).joined(separator: "\n")
}
