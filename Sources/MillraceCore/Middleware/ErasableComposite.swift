// SPDX-License-Identifier: Apache-2.0

/// A middleware composed of others. Type erasure separates the parts again, so that compositions stay flat.
@usableFromInline
protocol ErasableComposite<InputActionType, OutputActionType, StateType>: MiddlewareProtocol {
    /// The leaf middlewares in order, without identities.
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] { get }
    /// Whether it holds a type-erased composite, which is better replaced by its parts. Otherwise, adding a middleware
    /// to an erased one and erasing the result would add one call each time.
    var holdsErasedComposite: Bool { get }
}

extension MiddlewareProtocol {
    /// Whether it is a type-erased composite, or holds one.
    @usableFromInline
    var hidesComposite: Bool {
        if let erased = self as? AnyMiddleware<InputActionType, OutputActionType, StateType> {
            return erased.isComposite
        }
        return (self as? any ErasableComposite)?.holdsErasedComposite ?? false
    }
}
