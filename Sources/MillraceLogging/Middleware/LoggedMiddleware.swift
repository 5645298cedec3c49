// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware with a ``LoggerMiddleware`` in front of it. `logger(…)` returns it.
public struct LoggedMiddleware<Base: MiddlewareProtocol>: MiddlewareWrapper {
    /// The actions that the middleware handles.
    public typealias InputActionType = Base.InputActionType
    /// The actions that the middleware dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state that the middleware reads.
    public typealias StateType = Base.StateType

    /// The middleware behind the logger.
    public var base: Base
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
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        // The logger's IO runs before that of the base, so that an action is logged before those that it causes. In a
        // composition, the IO of a middleware in front runs last.
        let io: IO<OutputActionType> = logger.record(action, dispatcher, state)
        return io <> next(action, dispatcher, state)
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
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        logger.complete(action, dispatcher, state)
        next(action, dispatcher, state, output)
    }

    /// Binds the logger and the middleware.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        logger.bind(
            isFixed: binding.state.source.isFixed,
            position: binding.position,
            world: binding.services.world
        )
        base.bind(binding)
    }
}

extension LoggedMiddleware: Sendable where Base: Sendable {}
