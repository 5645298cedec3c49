// SPDX-License-Identifier: Apache-2.0

/// A middleware with a name; made by `named(_:)`.
///
/// A ``PipelineProbe`` measures the middleware under this name. If a store is shut down while the middleware is stuck,
/// the store reports the name.
///
/// **Cost.** Two relaxed atomic stores per call while no probe is set.
public struct NamedMiddleware<Base: MiddlewareProtocol>: MiddlewareWrapper {
    /// The actions it sees.
    public typealias InputActionType = Base.InputActionType
    /// The actions it dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state it can read.
    public typealias StateType = Base.StateType

    /// The name that the probe receives.
    public let name: MiddlewareName
    /// The middleware that has the name.
    public var base: Base
    /// Tells the store whether this middleware is running; nil outside of a store.
    @usableFromInline var running: RunningMiddleware?
    /// Tells the store's probe of the copies that the getter of `afterReduce` returns; nil outside of a store.
    @usableFromInline var copies: ReaderCopies?

    @inlinable
    init(name: MiddlewareName, base: Base) {
        self.name = name
        self.base = base
    }

    /// Calls `handle` of the middleware.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        running?.set(true)
        defer { running?.set(false) }
        return next(action, dispatcher, state)
    }

    /// Calls `handle` of the middleware between `stageBegan` and `stageEnded` of the probe.
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
        return base.handle(action: action, from: dispatcher, state: probe.reporting(state), probe: probe)
    }

    /// Calls `afterReduce` of the middleware.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        running?.set(true)
        defer { running?.set(false) }
        guard let copies else { return next(action, dispatcher, state, output) }
        next(action, dispatcher, copies.reporting(state), output)
    }

    /// Binds the middleware under its name.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        running = binding.services.register(name)
        let own = binding.named(name)
        copies = own.state.source.copies
        base.bind(own)
    }
}

extension NamedMiddleware: Sendable where Base: Sendable {}

extension MiddlewareProtocol {
    /// Returns this middleware with a name, under which it is measured and reported.
    ///
    /// ```swift
    /// let middleware = Auth().named("auth") <> Profile().named("profile")
    /// ```
    @inlinable
    public func named(_ name: MiddlewareName) -> NamedMiddleware<Self> {
        NamedMiddleware(name: name, base: self)
    }
}

extension NamedMiddleware: CustomStringConvertible {
    /// The name in quotes.
    public var description: String { "\"\(name)\"" }
}
