// SPDX-License-Identifier: Apache-2.0

/// One of two middlewares, chosen when it was made: what an `if` in a ``HandlerBuilder`` leaves.
///
/// **Cost.** A branch for each call; both types are known, so that both sides are specialised.
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

    /// It is the first.
    case first(First)
    /// It is the second.
    case second(Second)

    /// Asks the one that is there.
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

    /// Asks the one that is there, and lets it tell the probe.
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

    /// Whether the one that is there has one.
    @inlinable
    public var hasAfterReduce: Bool {
        switch self {
        case .first(let first): first.hasAfterReduce
        case .second(let second): second.hasAfterReduce
        }
    }

    /// Cancels the effects of the one that is there.
    @inlinable
    public var effectCanceller: EffectCanceller {
        switch self {
        case .first(let first): first.effectCanceller
        case .second(let second): second.effectCanceller
        }
    }

    /// Tells the one that is there.
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

    /// Binds the one that is there.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the live state is.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        switch self {
        case .first(let first): self = .first(first.bound(to: state, live: live))
        case .second(let second): self = .second(second.bound(to: state, live: live))
        }
    }

    /// Binds the one that is there to no state.
    @inlinable
    public mutating func bindWithoutState() {
        switch self {
        case .first(let first): self = .first(first.boundWithoutState())
        case .second(let second): self = .second(second.boundWithoutState())
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
