// SPDX-License-Identifier: Apache-2.0

/// A middleware made of others, which are told apart again when it is erased: so compositions stay flat.
@usableFromInline
protocol ErasableComposite<InputActionType, OutputActionType, StateType>: MiddlewareProtocol {
    /// The leaves in order, without identities.
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] { get }
}
