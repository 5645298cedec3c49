// SPDX-License-Identifier: Apache-2.0

/// Passes the memory of an action from `handle` to `afterReduce`, in a lift to an element that is bound without a
/// state. Inside another such lift, each action has its own getter, so the memory cannot be made once.
@usableFromInline
final class ElementHandover<GlobalInput, GlobalOutput, Key, Output, Element>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store to which the middleware is bound uses it.
    @usableFromInline typealias Memory = ElementMemory<GlobalInput, GlobalOutput, Key, Output, Element>

    /// The memory of the action that is between `handle` and `afterReduce`, if `handle` found its element.
    @usableFromInline @exclusivity(unchecked) var memory: Memory?

    @inlinable
    init() {}
}
