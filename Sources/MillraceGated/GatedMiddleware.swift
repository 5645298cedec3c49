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
/// **By state.** Nothing is kept: the state before the reducers decides, for `handle` and `afterReduce`. So the action
/// that switches it off in the state is still seen, the one that switches it on is not.
///
/// **In flight.** A ``InFlightPolicy`` says what becomes of works and effects when the gate closes. By default their
/// outputs are dropped while it is closed, those included that answer the action that closed it.
///
/// Reducers and the state are none of its business. Sources, causes and effect runs are kept.
///
/// **Threads.** A gate is flipped from any thread; the rest is as for the middleware itself.
///
/// **Cost.** Closed: a load, by action or state also a call of the map (by state a copy of the state, as of every
/// `state()`); no allocation. Open: the same, and for an action that the middleware answers with work three allocations
/// besides its own, unless outputs are let out at any time.
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
    @usableFromInline var passage: GatePassage<Base.OutputActionType>
    /// What becomes of works and effects when the gate closes.
    public let inFlight: InFlightPolicy

    @inlinable
    init(_ base: Base, control: Control, inFlight: InFlightPolicy) {
        self.base = base
        self.control = control
        self.inFlight = inFlight
        passage = GatePassage(
            gate: control.gate,
            canceller: inFlight == .cancel ? base.effectCanceller : nil,
            isOpen: nil
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
    public var hasAfterReduce: Bool { base.hasAfterReduce || cancelsByState }

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
        if base.hasAfterReduce, passage.isAdmitted {
            base.afterReduce(action: action, from: dispatcher, state: state, output: gated(output, state))
        }
        if inFlight == .cancel { cancelIfClosed(state) }
    }

    /// Binds the middleware.
    @inlinable
    public mutating func bind(to state: @escaping GetState<StateType>) {
        base.bind(to: state)
        passage = GatePassage(
            gate: control.gate,
            canceller: inFlight == .cancel ? base.effectCanceller : nil,
            isOpen: inFlight == .letFinish ? nil : control.isOpen(state)
        )
    }
}

extension GatedMiddleware {
    @inlinable
    func admits(_ action: InputActionType, _ state: GetState<StateType>) -> Bool {
        let isAdmitted =
            switch control.kind {
            case .outside: control.gate.isOpen
            case .action: admits(control.signal(action))
            case .state: control.stateIsOpen(state())
            }
        if base.hasAfterReduce { passage.isAdmitted = isAdmitted }
        return isAdmitted
    }

    @inlinable
    func admits(_ signal: GateSignal) -> Bool {
        switch signal {
        case .none: return control.gate.isOpen
        case .open: control.gate.open()
        case .close: control.gate.close()
        case .other: break
        }
        return true
    }

    @usableFromInline
    func gated(_ io: IO<OutputActionType>, _ state: @escaping GetState<StateType>) -> IO<OutputActionType> {
        guard inFlight != .letFinish else { return io }
        return gatedWork(io, while: control.isOpen(state), canceller: passage.canceller)
    }

    @usableFromInline
    func gated(
        _ output: AnyActionHandler<OutputActionType>,
        _ state: @escaping GetState<StateType>
    ) -> AnyActionHandler<OutputActionType> {
        guard inFlight != .letFinish else { return output }
        return passage.output?.lift(output) ?? gatedOutput(output, while: control.isOpen(state))
    }

    @inlinable
    var cancelsByState: Bool { control.kind == .state && inFlight == .cancel }

    /// After the reducers: by state the gate may have closed just now. And of an action that was let in the effect was
    /// started while the gate was being closed, or answers the action that closed it.
    @usableFromInline
    func cancelIfClosed(_ state: @escaping GetState<StateType>) {
        let isOpen = control.isOpen(now: state)
        if !isOpen, base.hasAfterReduce && passage.isAdmitted || passage.wasOpen { passage.canceller?.cancelAll() }
        passage.wasOpen = isOpen
    }
}

extension GatedMiddleware: Sendable where Base: Sendable {}
