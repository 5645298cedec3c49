// SPDX-License-Identifier: Apache-2.0

/// One of two middlewares, chosen when it was created: the result of an `if` in a ``HandlerBuilder``.
///
/// **Cost.** One branch per call; both types are known, so both sides are specialised.
public enum EitherMiddleware<First: MiddlewareProtocol, Second: MiddlewareProtocol>: MiddlewareProtocol
where
    First.InputActionType == Second.InputActionType,
    First.OutputActionType == Second.OutputActionType,
    First.StateType == Second.StateType
{
    /// The actions both see.
    public typealias InputActionType = First.InputActionType
    /// The actions both dispatch.
    public typealias OutputActionType = First.OutputActionType
    /// The state both read.
    public typealias StateType = First.StateType

    /// The first middleware is chosen.
    case first(First)
    /// The second middleware is chosen.
    case second(Second)

    /// Calls `handle` of the chosen middleware.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        switch self {
        case .first(let first): first.handle(action: action, from: dispatcher, state: state)
        case .second(let second): second.handle(action: action, from: dispatcher, state: state)
        }
    }

    /// Calls `handle` of the chosen middleware, and passes the probe on.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        switch self {
        case .first(let first): first.handle(action: action, from: dispatcher, state: state, probe: probe)
        case .second(let second): second.handle(action: action, from: dispatcher, state: state, probe: probe)
        }
    }

    /// Whether the chosen middleware has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool {
        switch self {
        case .first(let first): first.hasAfterReduce
        case .second(let second): second.hasAfterReduce
        }
    }

    /// The canceller of the chosen middleware.
    @inlinable
    public var effectCanceller: EffectCanceller {
        switch self {
        case .first(let first): first.effectCanceller
        case .second(let second): second.effectCanceller
        }
    }

    /// Calls `afterReduce` of the chosen middleware.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        switch self {
        case .first(let first): first.afterReduce(action: action, from: dispatcher, state: state, output: output)
        case .second(let second): second.afterReduce(action: action, from: dispatcher, state: state, output: output)
        }
    }

    /// Binds the chosen middleware.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        switch self {
        case .first(let first): self = .first(first.bound(binding))
        case .second(let second): self = .second(second.bound(binding))
        }
    }
}

extension EitherMiddleware: Sendable where First: Sendable, Second: Sendable {}

extension EitherMiddleware: ErasableComposite {
    @usableFromInline
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] {
        switch self {
        case .first(let first): AnyMiddleware(first).parts
        case .second(let second): AnyMiddleware(second).parts
        }
    }

    @usableFromInline
    var holdsErasedComposite: Bool {
        switch self {
        case .first(let first): first.hidesComposite
        case .second(let second): second.hidesComposite
        }
    }
}
