// SPDX-License-Identifier: Apache-2.0

/// The axes of a lift to an element: how the middleware's actions and state are found in larger types. The state is one
/// of several, or optional. `Key` identifies it.
@usableFromInline
struct ElementAxes<GlobalInput, GlobalOutput, GlobalState, Key, Input, Output, Element>: @unchecked Sendable {
    // Unchecked because a closure may use a conformance that might be isolated to an actor. A closure that finds an
    // element in a state cannot use such a conformance. All other captures are Sendable.
    @usableFromInline let input: (GlobalInput) -> (key: Key, action: Input)?
    /// Nil if the larger action did not take the dispatched action; then nothing is dispatched.
    @usableFromInline let output: (GlobalInput, Key, Output) -> GlobalOutput?
    @usableFromInline let element: (GlobalState, Key) -> Element?

    @inlinable
    init(
        input: @escaping (GlobalInput) -> (key: Key, action: Input)?,
        output: @escaping (GlobalInput, Key, Output) -> GlobalOutput?,
        element: @escaping (GlobalState, Key) -> Element?
    ) {
        self.input = input
        self.output = output
        self.element = element
    }
}
