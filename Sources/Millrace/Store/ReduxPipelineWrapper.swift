// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A pipeline without a store around it: middlewares, reducers, and a subject that has the state.
///
/// It is what `ReduxStoreBase(subject:reducer:middleware:emitsValue:)` runs, and behaves as it: on the main queue, one
/// action after the other, guaranteed what ``ReduxStoreBase/dispatch(_:)`` guarantees. When it is released, what is
/// pending is finished, then the middlewares are let go.
public final class ReduxPipelineWrapper<MiddlewareType: MiddlewareProtocol>: ActionHandler, Sendable
where MiddlewareType.InputActionType == MiddlewareType.OutputActionType {
    /// The actions it takes.
    public typealias ActionType = MiddlewareType.InputActionType
    /// The state that its subject has.
    public typealias StateType = MiddlewareType.StateType

    @usableFromInline let core: StoreCore<ActionType, StateType>
    /// The store that this is a view of; nil: it is a pipeline of its own.
    @usableFromInline let owner: (any AnyObject & Sendable)?

    /// A pipeline on the main queue.
    ///
    /// - Parameters:
    ///   - state: Gives the subject; called once, here.
    ///   - reducer: What changes the state.
    ///   - middleware: What else happens. From here on it is the pipeline's: nobody else may use it, which the compiler
    ///     does not check, as SwiftRex's apps make it of what is not Sendable.
    ///   - emitsValue: Which states the subscribers of a native subject are told of; those of another are told of all.
    @inlinable
    public init(
        state: @escaping () -> UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: MiddlewareType,
        emitsValue: ShouldEmitValue<StateType>
    ) {
        core = .make(subject: state(), reducer: reducer, middleware: middleware, emitsValue: emitsValue)
        owner = nil
        _ = core.start(.main)
    }

    @usableFromInline
    init(core: StoreCore<ActionType, StateType>, owner: any AnyObject & Sendable) {
        self.core = core
        self.owner = owner
    }

    deinit {
        if owner == nil { core.close() }
    }

    /// Dispatches an action together with its source: see ``ReduxStoreBase/dispatch(_:)``.
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        core.take(dispatchedAction, cause: .none, run: nil, flags: 0)
    }
}

extension ReduxPipelineWrapper where StateType: Equatable {
    /// A pipeline on the main queue, whose subscribers are told of a state when it differs from the one before.
    @inlinable
    public convenience init(
        state: @escaping () -> UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: MiddlewareType
    ) {
        self.init(state: state, reducer: reducer, middleware: middleware, emitsValue: .whenDifferent)
    }
}
