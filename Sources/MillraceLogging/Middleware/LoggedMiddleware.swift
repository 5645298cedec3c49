// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware with a ``LoggerMiddleware`` in front of it; `logger(…)` makes it.
public struct LoggedMiddleware<Base: MiddlewareProtocol>: MiddlewareProtocol {
    /// The actions it sees.
    public typealias InputActionType = Base.InputActionType
    /// The actions it dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state it can read.
    public typealias StateType = Base.StateType

    @usableFromInline var base: Base
    @usableFromInline var logger: LoggerMiddleware<Base.InputActionType, Base.StateType>

    init(base: Base, logger: LoggerMiddleware<Base.InputActionType, Base.StateType>) {
        self.base = base
        self.logger = logger
    }

    /// Asks the logger, then the middleware.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        // Its work is first, unlike that of a middleware in front: so an action is logged before what it brings about.
        let io: IO<OutputActionType> = logger.record(action, dispatcher, state)
        return io <> base.handle(action: action, from: dispatcher, state: state)
    }

    /// Asks the logger, then the middleware, and lets it tell the probe.
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

    /// Whether the logger or the middleware has one.
    @inlinable
    public var hasAfterReduce: Bool { logger.hasAfterReduce || base.hasAfterReduce }

    /// Tells the logger, then the middleware.
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

    /// What cancels the effects of the middleware; the logger has none.
    @inlinable
    public var effectCanceller: EffectCanceller { base.effectCanceller }

    /// Binds both.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the live state is.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        logger.bind(to: state)
        base.bind(to: state, live: live)
    }

    /// Binds both to no state.
    @inlinable
    public mutating func bindWithoutState() {
        logger.bindWithoutState()
        base.bindWithoutState()
    }
}

extension LoggedMiddleware: Sendable where Base: Sendable {}
