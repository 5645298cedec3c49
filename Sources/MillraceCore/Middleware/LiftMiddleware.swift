// SPDX-License-Identifier: Apache-2.0

/// A middleware adapted to larger action and state types; made by `lift`.
///
/// ```swift
/// let middleware = Auth().lift(inputAction: \.auth, outputAction: AppAction.auth, state: \.auth)
/// ```
///
/// If the input action is not for the middleware, the middleware is not called, and the IO is pure. Sources are kept.
///
/// **Cost.** One call per closure. In a store, nothing is allocated per action, unless the middleware returns an IO
/// that is not pure and the output is lifted. Outside of a store, the state getter is created at each call.
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
    /// The part's getter and the function that lifts its output, made once when a store binds the middleware.
    @usableFromInline var boundState: BoundGetter<Part.StateType>?
    @usableFromInline var boundOutput: LiftedOutputBox<GlobalOutput, Part.OutputActionType>?

    @inlinable
    init(_ part: Part, _ axes: Axes) {
        self.part = part
        self.axes = axes
    }

    /// Calls `handle` of the part if the action is for the part.
    @inlinable
    public func handle(
        action: GlobalInput,
        from dispatcher: ActionSource,
        state: @escaping GetState<GlobalState>
    ) -> IO<GlobalOutput> {
        guard let action = axes.input(action) else { return .pure() }
        // Two calls, not one with either getter: if the part ignores its getter, the compiler removes the bound one.
        guard let partState = boundState else { return handleUnbound(action, dispatcher, state) }
        let io = part.handle(action: action, from: dispatcher, state: { partState.read() })
        return io.isPure ? .pure() : axes.io(io)
    }

    /// Handles an action outside of a store: the getter is created at each call.
    @usableFromInline
    func handleUnbound(
        _ action: Part.InputActionType,
        _ dispatcher: ActionSource,
        _ state: @escaping GetState<GlobalState>
    ) -> IO<GlobalOutput> {
        let io = part.handle(action: action, from: dispatcher, state: axes.getter(state))
        return io.isPure ? .pure() : axes.io(io)
    }

    /// Calls `handle` of the part if the action is for the part, and passes the probe on.
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

    /// Whether the part has an `afterReduce`.
    @inlinable
    public var hasAfterReduce: Bool { part.hasAfterReduce }

    /// The canceller of the part.
    @inlinable
    public var effectCanceller: EffectCanceller { part.effectCanceller }

    /// Calls `afterReduce` of the part if the action is for the part.
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

    /// Creates the part's getter, and binds the part to it.
    @inlinable
    public mutating func bind(to state: @escaping GetState<GlobalState>) {
        bind(to: state, live: nil)
    }

    /// Binds the part, and passes on the location of its live state if that is stored in the larger state.
    @inlinable
    public mutating func bind(to state: @escaping GetState<GlobalState>, live: LiveState<GlobalState>?) {
        let partState = BoundGetter(axes.getter(state))
        part.bind(to: { partState.read() }, live: live.flatMap(axes.live))
        boundState = partState
        boundOutput = LiftedOutputBox(axes.makeLiftedOutput())
    }

    /// Binds the part without a state.
    @inlinable
    public mutating func bindWithoutState() {
        part.bindWithoutState()
    }
}

extension LiftMiddleware: Sendable where Part: Sendable {}
