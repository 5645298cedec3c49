// SPDX-License-Identifier: Apache-2.0

/// Where `handle` leaves what it found for `afterReduce` of the same action, in an element lift that is bound to no
/// state: inside another one each action comes with a getter of its own, so nothing can be made once.
@usableFromInline
final class ElementHandover<GlobalInput, GlobalOutput, Key, Output, Element>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store that the middleware is bound to comes here.
    @usableFromInline typealias Memory = ElementMemory<GlobalInput, GlobalOutput, Key, Output, Element>

    /// Of the action that is between `handle` and `afterReduce`, if its element was there in `handle`.
    @usableFromInline @exclusivity(unchecked) var memory: Memory?

    @inlinable
    init() {}
}
