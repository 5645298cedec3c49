// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware with a ``LoggerMiddleware`` in front of it. `logger(…)` returns it.
public struct LoggedMiddleware<Base: MiddlewareProtocol>: MiddlewareProtocol {
    /// The actions that the middleware handles.
    public typealias InputActionType = Base.InputActionType
    /// The actions that the middleware dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state that the middleware reads.
    public typealias StateType = Base.StateType

    @usableFromInline var base: Base
    @usableFromInline var logger: LoggerMiddleware<Base.InputActionType, Base.StateType>

    init(base: Base, logger: LoggerMiddleware<Base.InputActionType, Base.StateType>) {
        self.base = base
        self.logger = logger
    }

    /// Calls the logger, then the middleware.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        // The logger's IO runs first, unlike the IO of a middleware in front. So an action is logged before those that
        // it causes.
        let io: IO<OutputActionType> = logger.record(action, dispatcher, state)
        return io <> base.handle(action: action, from: dispatcher, state: state)
    }

    /// Calls the logger, then the middleware, and passes the probe to the middleware.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        let io: IO<OutputActionType> = logger.record(action, dispatcher, state)
        return io <> base.handle(action: action, from: dispatcher, state: state, probe: probe)
    }

    /// Whether the logger or the middleware has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool { logger.hasAfterReduce || base.hasAfterReduce }

    /// Calls the logger, then the middleware.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        logger.complete(action, dispatcher, state)
        base.afterReduce(action: action, from: dispatcher, state: state, output: output)
    }

    /// The canceller of the middleware's effects. The logger has no effects.
    @inlinable
    public var effectCanceller: EffectCanceller { base.effectCanceller }

    /// Binds the logger and the middleware to a state getter.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// Binds the logger and the middleware to a state getter, and passes the live state to the middleware.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        logger.bind(to: state)
        base.bind(to: state, live: live)
    }

    /// Prepares the logger and the middleware for use without a state.
    @inlinable
    public mutating func bindWithoutState() {
        logger.bindWithoutState()
        base.bindWithoutState()
    }
}

extension LoggedMiddleware: Sendable where Base: Sendable {}
