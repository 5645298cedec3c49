// SPDX-License-Identifier: Apache-2.0

/// A middleware with a name; `named(_:)` makes it. Under that name a ``PipelineProbe`` measures it, and a store that is
/// shut down while it is stuck reports it.
///
/// **Cost.** Two plain stores an action while no probe is on.
public struct NamedMiddleware<Base: MiddlewareProtocol>: MiddlewareProtocol {
    /// The actions it sees.
    public typealias InputActionType = Base.InputActionType
    /// The actions it dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state it can read.
    public typealias StateType = Base.StateType

    /// The name that the probe is told.
    public let name: MiddlewareName
    @usableFromInline var base: Base
    /// Tells the store when this is at work; nil outside of a store.
    @usableFromInline var running: RunningMiddleware?

    @inlinable
    init(name: MiddlewareName, base: Base) {
        self.name = name
        self.base = base
    }

    /// Asks the middleware.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        running?.set(true)
        defer { running?.set(false) }
        return base.handle(action: action, from: dispatcher, state: state)
    }

    /// Asks the middleware between `stageBegan` and `stageEnded` of the probe.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        running?.set(true)
        defer { running?.set(false) }
        probe.stageBegan(.middleware(name: name))
        defer { probe.stageEnded(.middleware(name: name)) }
        return base.handle(action: action, from: dispatcher, state: state, probe: probe)
    }

    /// Whether the middleware has one.
    @inlinable
    public var hasAfterReduce: Bool { base.hasAfterReduce }

    /// Cancels the effects of the middleware.
    @inlinable
    public var effectCanceller: EffectCanceller { base.effectCanceller }

    /// Tells the middleware.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        running?.set(true)
        defer { running?.set(false) }
        base.afterReduce(action: action, from: dispatcher, state: state, output: output)
    }

    /// Binds the middleware.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the live state is.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        running = MiddlewareRegistry.register(name)
        MiddlewareRegistry.within(name) { base.bind(to: state, live: live) }
    }

    /// Binds the middleware to no state. Its effects are measured under the name; it is not reported as stuck.
    @inlinable
    public mutating func bindWithoutState() {
        running = nil
        MiddlewareRegistry.within(name) { base.bindWithoutState() }
    }
}

extension NamedMiddleware: Sendable where Base: Sendable {}

extension MiddlewareProtocol {
    /// The same middleware under a name, by which it is measured and reported.
    ///
    /// ```swift
    /// let middleware = Auth().named("auth") <> Profile().named("profile")
    /// ```
    @inlinable
    public func named(_ name: MiddlewareName) -> NamedMiddleware<Self> {
        NamedMiddleware(name: name, base: self)
    }
}
