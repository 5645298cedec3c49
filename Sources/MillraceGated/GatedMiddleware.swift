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
/// **By action.** A control action is one of which the map says something; it always reaches the middleware, and moves
/// the gate before. One that asks for neither side (any other value than `turnOn` and `turnOff`) reaches it and moves
/// nothing. All other actions reach it while the gate is open. The gate is ``gate``, and may be flipped from outside,
/// too.
///
/// **By state.** The state before the reducers decides, for `handle` and `afterReduce`. So the action that switches it
/// off in the state is still seen, the one that switches it on is not. Outputs go by the state after the last action
/// that came by, whatever thread they are used on; a store that publishes on demand is not asked for it.
///
/// Gate by state outside of a lift of input actions, `part.lift(inputAction: …).gated(state: …)`: inside, only the
/// part's own actions come by, so that it does not notice when another one closes it, and effects are cancelled, and
/// outputs dropped, with the next action of its own. Inside `liftToCollection`, `liftToDictionary` and `liftToOptional`
/// each element's state decides for its own actions; outputs read the element's state when they are used, and `.cancel`
/// cancels the effects of all elements, when the state of one closes the gate.
///
/// **In flight.** A ``InFlightPolicy`` says what becomes of works and effects when the gate closes. By default their
/// outputs are dropped while it is closed, those included that answer the action that closed it.
///
/// Reducers and the state are none of its business. Sources, causes and effect runs are kept.
///
/// **Threads.** A gate is flipped from any thread; the rest is as for the middleware itself.
///
/// **Cost.** Closed: a load, by action or state also a call of the map; no allocation. By state the map is given the
/// state where it lies; it is a copy, as of every `state()`, in a store whose caller keeps the state, in a lift by a
/// closure or a computed property, for an element, and in a middleware of yours that does not pass `bind(to:live:)` on. Open: the same, and for an action that the middleware answers with work three allocations
/// besides its own, unless outputs are let out at any time. By state the map is called once more after the reducers,
/// from the first work on that was answered.
public struct GatedMiddleware<Base: MiddlewareProtocol>: MiddlewareProtocol {
    /// The actions it sees.
    public typealias InputActionType = Base.InputActionType
    /// The actions it dispatches.
    public typealias OutputActionType = Base.OutputActionType
    /// The state it can read.
    public typealias StateType = Base.StateType

    @usableFromInline typealias Control = GateControl<Base.InputActionType, Base.StateType>

    @usableFromInline var base: Base
    @usableFromInline let control: Control
    @usableFromInline var passage: GatePassage<Base.OutputActionType, Base.StateType>
    /// What becomes of works and effects when the gate closes.
    public let inFlight: InFlightPolicy

    @inlinable
    init(_ base: Base, control: Control, inFlight: InFlightPolicy) {
        self.base = base
        self.control = control
        self.inFlight = inFlight
        passage = Self.passage(of: base, control, Self.gate(control), inFlight, isBound: false)
    }

    /// The gate of a passage: by state one of its own.
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
        live: LiveState<StateType>? = nil
    ) -> GatePassage<Base.OutputActionType, Base.StateType> {
        GatePassage(
            gate: gate,
            canceller: inFlight == .cancel ? base.effectCanceller : nil,
            isBound: isBound,
            live: control.kind == .state ? live : nil
        )
    }

    /// The gate; nil where the state decides. Copies of this value share it.
    @inlinable
    public var gate: Gate? { control.kind == .state ? nil : control.gate }

    /// Asks the middleware if the action is let in.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>
    ) -> IO<OutputActionType> {
        guard admits(action, state) else { return .pure() }
        let io = base.handle(action: action, from: dispatcher, state: state)
        return io.isPure ? .pure() : gated(io, state)
    }

    /// Asks the middleware if the action is let in, and lets it tell the probe.
    @inlinable
    public func handle(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        probe: some PipelineProbe
    ) -> IO<OutputActionType> {
        guard admits(action, state) else { return .pure() }
        let io = base.handle(action: action, from: dispatcher, state: state, probe: probe)
        return io.isPure ? .pure() : gated(io, state)
    }

    /// Whether the middleware has one, or the gate has to look after the reducers.
    @inlinable
    public var hasAfterReduce: Bool { base.hasAfterReduce || followsState }

    /// Cancels the effects of the middleware.
    @inlinable
    public var effectCanceller: EffectCanceller { base.effectCanceller }

    /// Tells the middleware if the action was let in.
    @inlinable
    public func afterReduce(
        action: InputActionType,
        from dispatcher: ActionSource,
        state: @escaping GetState<StateType>,
        output: AnyActionHandler<OutputActionType>
    ) {
        let isAdmitted = base.hasAfterReduce && passage.isAdmitted
        if isAdmitted { passage.isWatched = true }
        if followsState, passage.isWatched { follow(state) }
        guard isAdmitted else { return }
        base.afterReduce(action: action, from: dispatcher, state: state, output: gated(output, state))
        // An effect that was started just now, while the gate was being closed, or by what closed it.
        if inFlight == .cancel, !passage.gate.isOpen { passage.canceller?.cancelAll() }
    }

    /// Binds the middleware.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        bind(to: state, live: nil)
    }

    /// The same, and tells where the live state is.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>, live: LiveState<StateType>?) {
        let gate = Self.gate(control)
        Self.behind(gate, inFlight) { base.bind(to: state, live: live) }
        passage = Self.passage(of: base, control, gate, inFlight, isBound: true, live: live)
    }

    /// Binds the middleware to no state, and forgets the action at hand.
    @inlinable
    public mutating func bindWithoutState() {
        let gate = Self.gate(control)
        Self.behind(gate, inFlight) { base.bindWithoutState() }
        passage = Self.passage(of: base, control, gate, inFlight, isBound: false)
    }

    /// Binds the middleware, which may want to know whether what it starts would be cancelled at once.
    @inlinable
    static func behind(_ gate: Gate, _ inFlight: InFlightPolicy, _ bind: () -> Void) {
        if inFlight == .cancel { MiddlewareRegistry.behindGate({ gate.isOpen }, bind) } else { bind() }
    }
}

extension GatedMiddleware {
    @inlinable
    func admits(_ action: InputActionType, _ state: GetState<StateType>) -> Bool {
        let isAdmitted =
            switch control.kind {
            case .outside: control.gate.isOpen
            case .action: control.admits.read { $0(action) }
            case .state: stateIsOpen(state)
            }
        if base.hasAfterReduce { passage.isAdmitted = isAdmitted }
        return isAdmitted
    }

    /// What the state says now; in `handle` and `afterReduce` only.
    @inlinable
    func stateIsOpen(_ state: GetState<StateType>) -> Bool {
        if let live = passage.live {
            control.liveIsOpen.read { $0(live) }
        } else {
            control.stateIsOpen.read { $0(state()) }
        }
    }

    @usableFromInline
    func gated(_ io: IO<OutputActionType>, _ state: @escaping GetState<StateType>) -> IO<OutputActionType> {
        guard inFlight != .letFinish else { return io }
        passage.isWatched = true
        if let isOpen = passage.isOpen { return gatedWork(io, while: isOpen, canceller: passage.canceller) }
        let isOpen = control.isOpen(state)
        guard let canceller = passage.canceller else { return gatedWork(io, while: isOpen, canceller: nil) }
        // Outside of a store what was not bound asks while its work runs.
        let asking = IO { output in MiddlewareRegistry.behindGate(isOpen) { io.run(output) } }
        return gatedWork(asking, while: isOpen, canceller: canceller)
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

    /// After the reducers: the gate is what the state says from here on. Closing it cancels effects.
    @inlinable
    func follow(_ state: GetState<StateType>) {
        let isOpen = stateIsOpen(state)
        if passage.gate.isOpen != isOpen { passage.gate.set(GateState(isOpen: isOpen)) }
    }
}

extension GatedMiddleware: Sendable where Base: Sendable {}
