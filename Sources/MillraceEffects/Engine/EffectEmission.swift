// SPDX-License-Identifier: Apache-2.0

/// What the closure of a sink does with an element. One closure does all three, because each closure takes an
/// allocation.
@usableFromInline
enum EffectEmission {
    /// Sends the element in the run of the effect, and returns nil.
    case send
    /// The same, in a run to whose actions the capacity does not apply.
    case sendInAnyCase
    /// Returns the bounded store that the element would go to; nil if the element would be dropped on the way.
    case findRoom
}
