// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A store made of a pipeline and a publisher, for types that do not inherit from ``ReduxStoreBase``.
///
/// ```swift
/// final class AppStore: ReduxStoreProtocol {
///     let pipeline: ReduxPipelineWrapper<AppMiddleware>
///     let statePublisher: UnfailablePublisherType<AppState>
///
///     init(subject: UnfailableReplayLastSubjectType<AppState>) {
///         pipeline = ReduxPipelineWrapper(state: { subject }, reducer: appReducer, middleware: AppMiddleware())
///         statePublisher = subject.publisher
///     }
/// }
/// ```
public protocol ReduxStoreProtocol<ActionType, StateType>: AnyObject, StoreType {
    /// The middleware of the pipeline.
    associatedtype MiddlewareType: MiddlewareProtocol
    where
        MiddlewareType.InputActionType == ActionType,
        MiddlewareType.OutputActionType == ActionType,
        MiddlewareType.StateType == StateType

    /// The pipeline that handles the actions.
    var pipeline: ReduxPipelineWrapper<MiddlewareType> { get }
}

extension ReduxStoreProtocol {
    /// Dispatches an action with its source to the pipeline.
    @_disfavoredOverload
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        pipeline.dispatch(dispatchedAction)
    }
}
