// SPDX-License-Identifier: Apache-2.0

/// Passes actions on to a closure.
///
/// A closure and not a generic subclass for each purpose: a closure is specialised where it is written, the methods of
/// a generic class are not.
@usableFromInline
final class ForwardingSink<ActionType>: ActionSink<ActionType>, @unchecked Sendable {
    // Unchecked because the base class is; the closure is Sendable.
    @usableFromInline typealias Body = @Sendable (sending DispatchedAction<ActionType>, ActionCause, EffectRun?) -> Void

    @usableFromInline let body: Body

    @inlinable
    init(findRoom: FindRoom? = nil, _ body: @escaping Body) {
        self.body = body
        super.init()
        if let findRoom { self.findRoom = findRoom }
    }

    @inlinable
    override func accept(_ dispatchedAction: sending DispatchedAction<ActionType>, cause: ActionCause, run: EffectRun?)
    {
        body(dispatchedAction, cause, run)
    }
}
