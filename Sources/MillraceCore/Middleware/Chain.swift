// SPDX-License-Identifier: Apache-2.0

/// Two middlewares, one after the other: what `<>` makes of two concrete ones.
///
/// ```swift
/// let middleware = Auth() <> Profile() <> Audit()     // Chain<Chain<Auth, Profile>, Audit>
/// ```
///
/// `handle` is called on the first, then on the second; after the reducers it goes the other way round.
///
/// **Cost.** None: the types of both are known, so that the whole chain is specialised, and nothing is allocated
/// unless both answer with work.
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

    /// Asks the first, then the second; the second's work runs before the first's.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        let io = first.handle(action: action, from: dispatcher, state: state)
        return second.handle(action: action, from: dispatcher, state: state) <> io
    }

    /// Asks the first, then the second, and lets both tell the probe. One that does nothing has nothing to tell.
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

    /// Whether one of the two has one.
    @inlinable
    public var hasAfterReduce: Bool { first.hasAfterReduce || second.hasAfterReduce }

    /// Cancels the effects of both.
    @inlinable
    public var effectCanceller: EffectCanceller { first.effectCanceller <> second.effectCanceller }

    /// Tells the second, then the first.
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
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the live state is.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        first.bind(to: state, live: live)
        second.bind(to: state, live: live)
    }

    /// Binds both to no state.
    @inlinable
    public mutating func bindWithoutState() {
        first.bindWithoutState()
        second.bindWithoutState()
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
