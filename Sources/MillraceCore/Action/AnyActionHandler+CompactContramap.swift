// SPDX-License-Identifier: Apache-2.0

extension AnyActionHandler {
    /// Returns a handler for another action type, which ignores each action that `transform` maps to nil. Source, cause
    /// and run are kept.
    @inlinable
    package func compactContramap<NewActionType>(
        _ transform: @escaping @Sendable (NewActionType) -> ActionType?
    ) -> AnyActionHandler<NewActionType> {
        let sink = sink
        let findRoom = sink.findRoom.map { find in
            { @Sendable (action: NewActionType) in transform(action).flatMap(find) }
        }
        let contramapped = ForwardingSink<NewActionType>(findRoom: findRoom) { action, cause, run, isUrgent in
            guard let mapped = action.compactMap(transform) else { return .accepted }
            return sink.receive(mapped, cause: cause, run: run, isUrgent: isUrgent)
        }
        return AnyActionHandler<NewActionType>(sink: contramapped, cause: cause, run: run)
    }
}
