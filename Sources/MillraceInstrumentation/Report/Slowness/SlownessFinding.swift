// SPDX-License-Identifier: Apache-2.0

/// A finding of a ``SlownessReport``, and what to do about it.
public struct SlownessFinding: Sendable, Hashable {
    /// The finding, as a sentence. Names in it are those of the program, without control characters.
    public let text: String
    /// The advice: what to do about it.
    public let hint: String
}
