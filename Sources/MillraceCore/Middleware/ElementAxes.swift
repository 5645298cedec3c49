// SPDX-License-Identifier: Apache-2.0

/// How a middleware's actions and state are found in larger ones in which the state is one of several, or not always
/// there; `Key` says which.
@usableFromInline
struct ElementAxes<GlobalInput, GlobalOutput, GlobalState, Key, Input, Output, Element>: @unchecked Sendable {
    // Unchecked because a conformance that a closure uses might be isolated to an actor; what looks for an element of a
    // state cannot use such a one. Else they capture what is Sendable.
    @usableFromInline let input: (GlobalInput) -> (key: Key, action: Input)?
    /// nil: what was to be written is not there, so that there is nothing to dispatch.
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
