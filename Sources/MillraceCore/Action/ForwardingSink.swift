// SPDX-License-Identifier: Apache-2.0

/// A sink that passes actions to a closure.
///
/// A closure, not a generic subclass for each purpose: the compiler specialises a closure where it is written, but not
/// the methods of a generic class.
@usableFromInline
final class ForwardingSink<ActionType>: ActionSink<ActionType>, @unchecked Sendable {
    // Unchecked because the base class is unchecked; the closure is Sendable.
    @inlinable
    init(findRoom: FindRoom? = nil, _ body: @escaping Forward) {
        super.init()
        forward = body
        if let findRoom { self.findRoom = findRoom }
    }

    @inlinable
    override func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?)
    {
        _ = forward?(dispatchedAction, cause, run, false)
    }

    @inlinable
    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<ActionType>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        forward?(dispatchedAction, cause, run, true) ?? .accepted
    }
}
