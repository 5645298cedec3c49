// SPDX-License-Identifier: Apache-2.0

/// The spelling of the lines of a recursive diff.
///
/// | part of a line | ``swiftRex`` | ``indexed`` |
/// |---|---|---|
/// | a field | `" State.cart.owner"` | `"State.cart.owner"` |
/// | the state itself | `".State"` | `"State"` |
/// | what is in an optional | `.user.some.name` | `.user.name` |
/// | an optional that gets a value | `nil → Optional(3)` | `nil → 3` |
/// | an element | `.prices.#` | `.prices[2]` |
/// | an unnamed part of a tuple | `.pair..0` | `.pair.0` |
/// | an absent value | `nil` | `∅` |
/// | a string | `Ada` | `"Ada"` |
/// | a dictionary | one line: `.people: 📦 [a: 1] → [a: 2]` | a line for each pair: `.people["a"]: 1 → 2` |
/// | a set | one line: `.tags: 📦 <a> → <a, b>` | a line for each member: `.tags: ∅ → "b"` |
///
/// The prefix comes before all of these. If a dictionary or set has more than 64 pairs or members, `swiftRex` prints
/// only those that changed, and the number of the others.
public enum DiffSpelling: Sendable {
    /// The spelling of SwiftRex's logger: filters and tools that were written for its lines work unchanged.
    case swiftRex
    /// Paths as they are written in Swift, with the index of each element and the key of each pair.
    case indexed

    var other: DiffSpelling { self == .swiftRex ? .indexed : .swiftRex }
}
