// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Hands each action to a ``SessionRecorder``. It dispatches nothing.
public struct SessionRecorderMiddleware<Action: Sendable, State: Sendable>: MiddlewareProtocol, Sendable {
    private let recorder: SessionRecorder<Action, State>
    private var position: (@Sendable () -> ActionPosition)?

    init(_ recorder: SessionRecorder<Action, State>) {
        self.recorder = recorder
    }

    /// Gets access to the number and the cause of each action.
    public mutating func bind(_ binding: MiddlewareBinding<Action, State>) {
        position = binding.position
    }

    /// Records the action.
    public func handle(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<State>
    ) -> IO<Action> {
        recorder.note(action, dispatcher, position?(), state)
        return .pure()
    }
}
