// SPDX-License-Identifier: Apache-2.0

/// Two middlewares, one after the other: the result of `<>` for two concrete types.
///
/// ```swift
/// let middleware = Auth() <> Profile() <> Audit()     // Chain<Chain<Auth, Profile>, Audit>
/// ```
///
/// `handle` is called on the first, then on the second. After the reducers, the order is reversed.
///
/// **Cost.** None: both types are known, so the whole chain is specialised. Nothing is allocated unless both
/// middlewares return an IO that is not pure.
public struct Chain<First: MiddlewareProtocol, Second: MiddlewareProtocol>: MiddlewareProtocol
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

    @usableFromInline var first: First
    @usableFromInline var second: Second

    @inlinable
    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    /// Calls `handle` of the first, then of the second. The IO of the second runs before the IO of the first.
    @preconcurrency
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        let io = first.handle(action: action, from: dispatcher, state: state)
        return second.handle(action: action, from: dispatcher, state: state) <> io
    }

    /// Calls `handle` of the first, then of the second, and passes the probe on. A first middleware that is an identity
    /// is left out.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        guard !First.isIdentity else {
            return second.handle(action: action, from: dispatcher, state: state, probe: probe)
        }
        let io = first.handle(action: action, from: dispatcher, state: state, probe: probe)
        return second.handle(action: action, from: dispatcher, state: state, probe: probe) <> io
    }

    /// Whether one of the two has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool { first.hasAfterReduce || second.hasAfterReduce }

    /// The canceller of both.
    @inlinable
    public var effectCanceller: EffectCanceller { first.effectCanceller <> second.effectCanceller }

    /// Calls `afterReduce` of the second, then of the first.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        second.afterReduce(action: action, from: dispatcher, state: state, output: output)
        first.afterReduce(action: action, from: dispatcher, state: state, output: output)
    }

    /// Binds both.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        first.bind(binding)
        second.bind(binding)
    }
}

extension Chain: Sendable where First: Sendable, Second: Sendable {}

extension Chain: ErasableComposite {
    @usableFromInline
    var erasedParts: [AnyMiddleware<InputActionType, OutputActionType, StateType>] {
        AnyMiddleware(first).parts + AnyMiddleware(second).parts
    }

    @usableFromInline
    var holdsErasedComposite: Bool { first.hidesComposite || second.hidesComposite }
}
