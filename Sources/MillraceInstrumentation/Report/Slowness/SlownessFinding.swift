// SPDX-License-Identifier: Apache-2.0

/// One thing that ``SlownessReport`` noticed, and what can be done about it.
public struct SlownessFinding: Sendable, Hashable {
    /// What was noticed, in a sentence. Names in it are as the program gave them, without control characters.
    public let text: String
    /// What to do about it.
    public let hint: String
}
