// SPDX-License-Identifier: Apache-2.0

/// The limit of a table of texts: `maximum` texts, and 256 bytes for each plus 1 MiB for all of them together.
struct KeyBudget: Equatable, Sendable {
    let maximum: Int

    /// The number of texts and bytes in a table.
    struct Use: Equatable, Sendable {
        var texts = 0
        var bytes = 0
    }

    /// Returns whether a text of `length` bytes still fits. If so, it is added to `use`.
    func admits(_ length: Int, after use: inout Use) -> Bool {
        guard use.texts < maximum, use.bytes + length <= maximum * 256 + 1 << 20 else { return false }
        use.texts += 1
        use.bytes += length
        return true
    }
}
