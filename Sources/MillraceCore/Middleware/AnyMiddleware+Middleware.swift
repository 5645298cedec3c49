// SPDX-License-Identifier: Apache-2.0

extension AnyMiddleware: MiddlewareProtocol {
    /// Calls `handle` of the hidden middleware.
    @preconcurrency
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
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        switch storage {
        case .identity: return
        case .unbound(let box): storage = Self.bound(box, binding)
        case .bound(let box): storage = Self.bound(box.origin, binding)
        }
    }

    @inlinable
    static func bound(
        _ box: MiddlewareBox<InputActionType, OutputActionType, StateType>,
        _ binding: MiddlewareBinding<OutputActionType, StateType>
    ) -> Storage {
        if let getter = binding.state.getter {
            .bound(box.bound(box, binding, getter))
        } else {
            .unbound(box.boundToElement(box, binding))
        }
    }

    /// Returns this middleware.
    @inlinable
    public func eraseToAnyMiddleware() -> AnyMiddleware {
        self
    }
}
