// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A pipeline without a store: middlewares, reducers, and a subject that holds the state.
///
/// It behaves as the pipeline of `ReduxStoreBase(subject:reducer:middleware:emitsValue:)`: it runs on the main queue,
/// handles one action after the other, and gives the guarantees of ``ReduxStoreBase/dispatch(_:)``. When the wrapper is
/// released, the pipeline finishes the pending actions, then releases the middlewares; at once if it is idle, as
/// ``ReduxStoreBase`` says.
public final class ReduxPipelineWrapper<MiddlewareType: MiddlewareProtocol>: ActionHandler, Sendable
where MiddlewareType.InputActionType == MiddlewareType.OutputActionType {
    /// The type of the actions.
    public typealias ActionType = MiddlewareType.InputActionType
    /// The type of the state in the subject.
    public typealias StateType = MiddlewareType.StateType

    @usableFromInline let core: StoreCore<ActionType, StateType>
    /// The store whose pipeline this wraps; nil if this is an independent pipeline.
    @usableFromInline let owner: (any AnyObject & Sendable)?

    /// Creates a pipeline on the main queue.
    ///
    /// - Parameters:
    ///   - state: A closure that returns the subject; called once, in this initialiser.
    ///   - reducer: The reducer, which changes the state.
    ///   - middleware: The middleware, which handles side effects. From now on it belongs to the pipeline, and no other
    ///     code may use it. The compiler does not check this, because SwiftRex's apps build middlewares from parts that
    ///     are not Sendable.
    ///   - emitsValue: The filter for the states that the subscribers of a native subject are called with. Subscribers
    ///     of any other subject are called with every state.
    ///   - order: Where the pipeline puts the actions that it dispatches itself.
    @inlinable
    public init(
        state: @escaping () -> UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: MiddlewareType,
        emitsValue: ShouldEmitValue<StateType>,
        order: ActionOrder = .fifo
    ) {
        core = .make(subject: state(), reducer: reducer, middleware: middleware, emitsValue: emitsValue, order: order)
        owner = nil
        _ = core.start(.main)
        core.openContexts()
    }

    @usableFromInline
    init(core: StoreCore<ActionType, StateType>, owner: any AnyObject & Sendable) {
        self.core = core
        self.owner = owner
    }

    deinit {
        guard owner == nil else { return }
        let reference = Unmanaged.passUnretained(core)
        StoreCore.closeReleased(reference)
    }

    /// Dispatches an action with its source: see ``ReduxStoreBase/dispatch(_:)``.
    @_disfavoredOverload
    @inlinable
    public func dispatch(_ dispatchedAction: sending DispatchedAction<ActionType>) {
        core.take(dispatchedAction, cause: .none, run: nil, flags: 0)
    }
}

extension ReduxPipelineWrapper where StateType: Equatable {
    /// Creates a pipeline on the main queue. Subscribers are called with a state that differs from the one before.
    @inlinable
    public convenience init(
        state: @escaping () -> UnfailableReplayLastSubjectType<StateType>,
        reducer: Reducer<ActionType, StateType>,
        middleware: MiddlewareType,
        order: ActionOrder = .fifo
    ) {
        self.init(state: state, reducer: reducer, middleware: middleware, emitsValue: .whenDifferent, order: order)
    }
}
