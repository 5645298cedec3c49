// SPDX-License-Identifier: Apache-2.0

/// A middleware at work inside larger actions and a larger state; made by `lift`.
///
/// ```swift
/// let middleware = Auth().lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
/// ```
///
/// When the input action is none of its own it is not called, and there is no work. Sources are kept.
///
/// **Cost.** A call of each closure. In a store nothing is allocated an action, unless the middleware answers with
/// work and the output is lifted; outside of one the state getter is made at each call.
public struct LiftMiddleware<GlobalInput, GlobalOutput, GlobalState, Part: MiddlewareProtocol>: MiddlewareProtocol {
    /// The actions it sees.
    public typealias InputActionType = GlobalInput
    /// The actions it dispatches.
    public typealias OutputActionType = GlobalOutput
    /// The state it can read.
    public typealias StateType = GlobalState

    @usableFromInline typealias Axes = LiftAxes<
        GlobalInput, GlobalOutput, GlobalState, Part.InputActionType, Part.OutputActionType, Part.StateType
    >

    @usableFromInline var part: Part
    @usableFromInline let axes: Axes
    /// The part's getter and what lifts its output, made once when a store took the middleware.
    @usableFromInline var boundState: BoundGetter<Part.StateType>?
    @usableFromInline var boundOutput: LiftedOutputBox<GlobalOutput, Part.OutputActionType>?

    @inlinable
    init(_ part: Part, _ axes: Axes) {
        self.part = part
        self.axes = axes
    }

    /// Asks the part if the action is its own.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>
    ) -> IO<GlobalOutput> {
        guard let action = axes.input(action) else { return .pure() }
        // Two calls, not one with either getter: where the part ignores it, nothing is left of the bound one.
        guard let partState = boundState else { return handleUnbound(action, dispatcher, state) }
        let io = part.handle(action: action, from: dispatcher, state: { partState.read() })
        return io.isPure ? .pure() : axes.io(io)
    }

    /// Outside of a store: the getter is made at each call.
    @usableFromInline
    func handleUnbound(
        _ action: Part.InputActionType,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<GlobalState>
    ) -> IO<GlobalOutput> {
        let io = part.handle(action: action, from: dispatcher, state: axes.getter(state))
        return io.isPure ? .pure() : axes.io(io)
    }

    /// Asks the part if the action is its own, and lets it tell the probe.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        probe: some PipelineProbe
    ) -> IO<GlobalOutput> {
        guard let action = axes.input(action) else { return .pure() }
        let partState = boundState ?? BoundGetter(axes.getter(state))
        let io = part.handle(action: action, from: dispatcher, state: { partState.read() }, probe: probe)
        return io.isPure ? .pure() : axes.io(io)
    }

    /// Whether the part has one.
    @inlinable
    public var hasAfterReduce: Bool { part.hasAfterReduce }

    /// Cancels the effects of the part.
    @inlinable
    public var effectCanceller: EffectCanceller { part.effectCanceller }

    /// Tells the part if the action is its own.
    @inlinable
    public func afterReduce(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>,
        output: AnyActionHandler<GlobalOutput>
    ) {
        guard part.hasAfterReduce, let action = axes.input(action) else { return }
        let partState = boundState ?? BoundGetter(axes.getter(state))
        part.afterReduce(
            action: action,
            from: dispatcher,
            state: { partState.read() },
            output: (boundOutput ?? LiftedOutputBox(axes.makeLiftedOutput())).lift(output)
        )
    }

    /// Makes the part's getter, and binds the part to it.
    @inlinable
    public mutating func bind(to state: @escaping GetState<GlobalState>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the part's live state is, if it is stored in the larger one.
    @inlinable
    public mutating func bind(to state: @escaping GetState<GlobalState>, live: LiveState<GlobalState>?) {
        let partState = BoundGetter(axes.getter(state))
        part.bind(to: { partState.read() }, live: live.flatMap(axes.live))
        boundState = partState
        boundOutput = LiftedOutputBox(axes.makeLiftedOutput())
    }

    /// Binds the part to no state.
    @inlinable
    public mutating func bindWithoutState() {
        part.bindWithoutState()
    }
}

extension LiftMiddleware: Sendable where Part: Sendable {}
