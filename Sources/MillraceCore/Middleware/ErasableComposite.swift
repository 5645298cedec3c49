// SPDX-License-Identifier: Apache-2.0

/// A middleware made of others, which are told apart again when it is erased: so compositions stay flat.
@usableFromInline
protocol ErasableComposite<InputActionType, OutputActionType, StateType>: MiddlewareProtocol {
    /// The leaves in order, without identities.
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] { get }
    /// Whether it holds an erased middleware that is made of others. Such a one is better replaced by its parts: each
    /// time a middleware is added to an erased one and the result is erased, there would be one call more on the way.
    var holdsErasedComposite: Bool { get }
}

extension MiddlewareProtocol {
    /// Whether it is an erased middleware that is made of others, or holds one.
    @usableFromInline
    var hidesComposite: Bool {
        if let erased = self as? AnyMiddleware<InputActionType, OutputActionType, StateType> {
            return erased.isComposite
        }
        return (self as? any ErasableComposite)?.holdsErasedComposite ?? false
    }
}
