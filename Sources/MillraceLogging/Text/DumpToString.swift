// SPDX-License-Identifier: Apache-2.0

/// Returns a value as text, with one line per leaf. Equal values have equal texts: dictionaries and sets are sorted by
/// the texts of their members, and objects are printed without their address.
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
/// A type that describes itself is printed by its description only. An object is printed once; other references to it
/// are printed as `Node … as above`. A member or a key is printed in one line, with at most 64 parts. In this line,
/// only the objects that contain the member or key are printed as `… as above`.
///
/// It uses reflection, so it takes microseconds per line. It prints at most 100,000 lines, then a line that says so,
/// and at most 64 levels. The text cannot be parsed back.
/// - Parameters:
///   - something: The value.
///   - indent: The number of spaces per level, 0 to 64.
public func dumpToString<T>(_ something: T, indent: Int = 2) -> String {
    StateDump(something, indent: indent, mostLines: 100_000).lines.map(\.shown).joined(separator: "\n")
}
