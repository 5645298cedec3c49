// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that can be switched off while it runs; made by `gated`.
///
/// ```swift
/// let byAction = Audit().gated(controlAction: \AppAction.setAudit, default: .bypass)      // a Bool
/// let byState = Audit().gated(state: \AppState.settings.isAuditing)
/// let fromOutside = Audit().gated(by: gate)
/// ```
///
/// **By action.** If the map returns a control value for an action, not nil, the action always reaches the middleware.
/// The value `turnOn` opens the gate before that, and `turnOff` closes it; any other value leaves it as it is. All other
/// actions reach the middleware while the gate is open. The gate is ``gate``; it can also be flipped from outside.
///
/// **By state.** The state before the reducers decides, for `handle` and `afterReduce`. So the middleware sees the
/// action that switches it off in the state, and does not see the one that switches it on. An output tests the state
/// after the last action that reached the gate, on any thread, without a snapshot. Two outputs read the state when they
/// are used, so in a store that publishes on demand they may wait for a snapshot: the output of `receiveContext`, and
/// that of an element.
///
/// Gate by state outside of a lift of input actions: `part.lift(inputAction: …).gated(state: …)`. Inside of the lift
/// the gate sees only the part's own actions. If another action closes the gate, effects are cancelled, and outputs
/// closed, only with the next action of the part. Inside `liftToCollection`, `liftToDictionary` and `liftToOptional`
/// each element's state decides for its own actions. Outputs read the element's state when they are used. `.cancel`
/// cancels the effects of all elements when the state of one closes the gate.
///
/// **In flight.** An ``InFlightPolicy`` is the rule for outputs and effects under way when the gate closes. By default
/// what they dispatch is left out while the gate is closed, also in answer to the action that closed it.
///
/// The gate affects neither the reducers nor the state. An action that passes keeps its source, its cause and its
/// effect.
///
/// **Threads.** Any thread may flip the gate. Otherwise the rules of the middleware itself apply.
///
/// **Cost.** Closed: a load, by action or state also a call of the map; no allocation. Open: the same, and for an
/// action that the middleware answers with an `IO` three allocations besides its own, except with `.letFinish`. By
/// state, and except with `.letFinish`, the map is called once more after the reducers. This begins with the first
/// action that the middleware answers with an `IO` or, if it has an `afterReduce`, with the first one that it sees.
///
/// By state the map reads the state in place. In these cases the state is copied first, as by a call of `state()`: in a
/// store whose caller keeps the state, in a lift by a closure or a computed property, and for an element.
public struct GatedMiddleware<Base: MiddlewareProtocol>: MiddlewareWrapper {
    /// The actions that the middleware sees.
    public typealias InputActionType = Base.InputActionType
    /// The actions that the middleware dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state that the middleware can read.
    public typealias StateType = Base.StateType

    @usableFromInline typealias Control = GateControl<Base.InputActionType, Base.StateType>

    /// The middleware behind the gate.
    public var base: Base
    @usableFromInline let control: Control
    @usableFromInline var passage: GatePassage<Base.OutputActionType, Base.StateType>
    /// The rule for outputs and effects under way when the gate closes.
    public let inFlight: InFlightPolicy

    @inlinable
    init(_ base: Base, control: Control, inFlight: InFlightPolicy) {
        self.base = base
        self.control = control
        self.inFlight = inFlight
        passage = Self.passage(of: base, control, Self.gate(control), inFlight, isBound: false)
    }

    /// Returns the control's gate; by state, a new gate.
    @inlinable
    static func gate(_ control: Control) -> Gate {
        control.kind == .state ? Gate() : control.gate
    }

    @inlinable
    static func passage(
        of base: Base,
        _ control: Control,
        _ gate: Gate,
        _ inFlight: InFlightPolicy,
        isBound: Bool,
        state: StateSource<StateType>? = nil
    ) -> GatePassage<Base.OutputActionType, Base.StateType> {
        GatePassage(
            gate: gate,
            canceller: inFlight == .cancel ? base.effectCanceller : nil,
            isBound: isBound,
            state: control.kind == .state ? state : nil
        )
    }

    /// The gate; nil if the state decides. Copies of this value share it.
    @inlinable
    public var gate: Gate? { control.kind == .state ? nil : control.gate }

    /// Calls the middleware if the gate admits the action.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        next: BaseHandle
    ) -> IO<OutputActionType> {
        guard admits(action, state) else { return .pure() }
        let io = next(action, dispatcher, state)
        return io.isPure ? .pure() : gated(io, state)
    }

    /// Whether the middleware has an `afterReduce`, or the gate has to follow the state after the reducers.
    @inlinable
    public var hasAfterReduce: Bool { base.hasAfterReduce || followsState }

    /// Calls the middleware if the gate has admitted the action.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>,
        next: BaseAfterReduce
    ) {
        #if MILLRACE_PLANTED
            if Planted.has(.gateAskedTwice), control.kind == .outside { passage.isAdmitted = control.gate.isOpen }
        #endif
        let isAdmitted = base.hasAfterReduce && passage.isAdmitted
        if isAdmitted { passage.isWatched = true }
        if passage.isWatched, followsState { follow(state) }
        guard isAdmitted else { return }
        next(action, dispatcher, state, gated(output, state))
        // The call above may have started an effect while the gate was closed, by another thread or by this action.
        if inFlight == .cancel { cancelIfClosed(passage.canceller) { passage.gate.isOpen } }
    }

    /// Binds the middleware. With `.cancel` the binding also tells the base whether the gate is open: an effect that
    /// starts while it is closed is cancelled at once.
    @inlinable
    public mutating func bind(_ binding: MiddlewareBinding<OutputActionType, StateType>) {
        let gate = Self.gate(control)
        let source = binding.state.source
        var inner = inFlight == .cancel ? binding.behindGate { gate.isOpen } : binding
        if inFlight != .letFinish {
            let isOpen = control.isOpen(source.read)
            inner = inner.mappingOutput { gatedOutput($0, while: isOpen) }
        }
        base.bind(inner)
        passage = Self.passage(of: base, control, gate, inFlight, isBound: source.isFixed, state: source)
    }
}

extension GatedMiddleware {
    @inlinable
    func admits(_ action: InputActionType, _ state: GetState<StateType>) -> Bool {
        let isAdmitted =
            switch control.kind {
            case .outside: control.gate.isOpen
            case .action: control.admits(action)
            case .state: stateIsOpen(state)
            }
        if base.hasAfterReduce { passage.isAdmitted = isAdmitted }
        return isAdmitted
    }

    /// Returns whether the current state opens the gate; in `handle` and `afterReduce` only.
    @inlinable
    func stateIsOpen(_ state: GetState<StateType>) -> Bool {
        if let live = passage.live {
            control.liveIsOpen(live)
        } else {
            control.stateIsOpen(state())
        }
    }

    @usableFromInline
    func gated(_ io: IO<OutputActionType>, _ state: @escaping GetState<StateType>) -> IO<OutputActionType> {
        guard inFlight != .letFinish else { return io }
        passage.isWatched = true
        return gatedIO(io, while: passage.isOpen ?? control.isOpen(state), canceller: passage.canceller)
    }

    @usableFromInline
    func gated(
        _ output: AnyActionHandler<OutputActionType>,
        _ state: @escaping GetState<StateType>
    ) -> AnyActionHandler<OutputActionType> {
        guard inFlight != .letFinish else { return output }
        return passage.output?.lift(output) ?? gatedOutput(output, while: control.isOpen(state))
    }

    /// Whether the gate of the passage has to follow the state.
    @inlinable
    var followsState: Bool { control.kind == .state && inFlight != .letFinish }

    /// After the reducers: sets the gate to what the state now says. With `.cancel`, closing it cancels the effects.
    @inlinable
    func follow(_ state: GetState<StateType>) {
        let isOpen = stateIsOpen(state)
        if passage.gate.isOpen != isOpen { passage.gate.set(GateState(isOpen: isOpen)) }
    }
}

extension GatedMiddleware: Sendable where Base: Sendable {}
