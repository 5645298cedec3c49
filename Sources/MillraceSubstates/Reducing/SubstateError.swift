// SPDX-License-Identifier: Apache-2.0

/// An error of a store of substates. The store continues, and its substates do not change.
public enum SubstateError: Error, Sendable, Hashable {
    /// No substate of this type is registered. `action` is the type of the action; it is nil if a read failed.
    case missingSubstate(_ substate: String, action: String?)
    /// No reducer is registered for the type of an action.
    case unknownAction(_ action: String)
    /// The main reducer threw an error that is not a `SubstateError`.
    case mainReducerFailed(action: String, error: String)
    /// A stream of actions threw an error that no function turned into an action.
    case actionsFailed(stream: String, error: String)

    @usableFromInline
    static func missing(_ substate: Any.Type, for action: Any.Type? = nil) -> SubstateError {
        .missingSubstate(String(reflecting: substate), action: action.map { String(reflecting: $0) })
    }

    /// Returns the error for an action whose type no reducer knows. The main reducer of an app throws it.
    public static func unknown(_ action: AnyActionType) -> SubstateError {
        .unknownAction(String(reflecting: type(of: action)))
    }
}

extension SubstateError: CustomStringConvertible {
    /// What happened, and how to correct it.
    public var description: String {
        switch self {
        case .missingSubstate(let substate, let action?):
            """
            the action \(action) has changed nothing, because there is no substate \(substate): dispatch \
            StoreAction.add(states:) with it before the action, and again after StoreAction.reset
            """
        case .missingSubstate(let substate, nil):
            """
            there is no substate \(substate): dispatch StoreAction.add(states:) with it, and wait with drain() until that \
            is handled
            """
        case .unknownAction(let action):
            """
            the action \(action) has changed nothing, because no reducer is registered for its type: add it to the \
            RoutingReducer with routing(_:to:), or give the store a main reducer that handles it
            """
        case .mainReducerFailed(let action, let error):
            "the action \(action) has changed nothing, because the main reducer threw: \(error)"
        case .actionsFailed(let stream, let error):
            """
            the stream of actions \(stream) has ended with an error: \(error). Pass catchErrors: to dispatch(actionsOf:) \
            to turn errors into an action
            """
        }
    }
}
