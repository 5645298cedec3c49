// SPDX-License-Identifier: Apache-2.0

extension AnyMiddleware: MiddlewareProtocol {
    /// Calls `handle` of the hidden middleware.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        switch storage {
        case .identity: .pure()
        case .unbound(let box): box.handle(action, dispatcher, state)
        case .bound(let box): box.handle(action, dispatcher)
        }
    }

    /// Calls `handle` of the hidden middleware, and passes the probe on.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        switch storage {
        case .identity: .pure()
        case .unbound(let box): box.probedHandle(action, dispatcher, state, probe)
        case .bound(let box): box.probedHandle(action, dispatcher, probe)
        }
    }

    /// Whether the hidden middleware has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool {
        switch storage {
        case .identity: false
        case .unbound(let box): box.afterReduce != nil
        case .bound(let box): box.afterReduce != nil
        }
    }

    /// The canceller of the hidden middleware.
    @inlinable
    public var effectCanceller: EffectCanceller {
        switch storage {
        case .identity: .identity
        case .unbound(let box): box.canceller()
        case .bound(let box): box.canceller()
        }
    }

    /// Calls `afterReduce` of the hidden middleware.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        switch storage {
        case .identity: return
        case .unbound(let box): box.afterReduce?(action, dispatcher, state, output)
        case .bound(let box): box.afterReduce?(action, dispatcher, output)
        }
    }

    /// Binds the hidden middleware. Other copies of this value are not bound, unless the hidden middleware is a class.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// Binds the hidden middleware, and passes on the location of the live state.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        switch storage {
        case .identity: return
        case .unbound(let box): storage = .bound(box.bound(box, state, live))
        case .bound(let box): storage = .bound(box.origin.bound(box.origin, state, live))
        }
    }

    /// Binds the hidden middleware without a state. Other copies of this value are not bound, unless it holds a class.
    @inlinable
    public mutating func bindWithoutState() {
        switch storage {
        case .identity: return
        case .unbound(let box): storage = .unbound(box.boundWithoutState(box))
        case .bound(let box): storage = .unbound(box.origin.boundWithoutState(box.origin))
        }
    }

    /// Returns this middleware.
    @inlinable
    public func eraseToAnyMiddleware() -> AnyMiddleware {
        self
    }
}
