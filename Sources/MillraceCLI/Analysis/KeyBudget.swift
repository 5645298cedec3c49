// SPDX-License-Identifier: Apache-2.0

/// The bound of a table of texts: `maximum` texts, and together not more than 256 bytes for each plus 1 MiB.
struct KeyBudget: Equatable, Sendable {
    let maximum: Int

    /// What a table holds.
    struct Use: Equatable, Sendable {
        var texts = 0
        var bytes = 0
    }

    /// Whether a text of `length` bytes still fits; if so it is added to `use`.
    func admits(_ length: Int, after use: inout Use) -> Bool {
        guard use.texts < maximum, use.bytes + length <= maximum * 256 + 1 << 20 else { return false }
        use.texts += 1
        use.bytes += length
        return true
    }
}
