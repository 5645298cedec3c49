// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The data of a gated middleware for the current action, and for the moment when the gate closes.
///
/// Each binding to a store has its own.
@usableFromInline
final class GatePassage<Output, State>: @unchecked Sendable {
    // Unchecked: only the pipeline's thread of the store that the middleware is bound to touches the variables;
    // without a store, only the thread that calls the middleware.

    /// Whether the middleware sees the current action. Decided once, for `handle` and `afterReduce`.
    @usableFromInline @exclusivity(unchecked) var isAdmitted = true
    /// By state: whether there is an output that tests the gate, or an effect that the gate may cancel.
    @usableFromInline @exclusivity(unchecked) var isWatched = false
    /// The gate that outputs test. By state it is a gate of its own, which the pipeline moves after the reducers.
    /// Outputs may be used on any thread, where the getter would return an older state or have to wait for one.
    @usableFromInline let gate: Gate
    /// Tests the gate for outputs. Nil where each output tests for itself: outside of a store, and for an element,
    /// which has its own state.
    @usableFromInline let isOpen: (@Sendable () -> Bool)?
    /// The gated output for a store, which always passes the same output.
    @usableFromInline let output: LiftedOutputMemory<Output, Output>?
    /// Nil: effects are not cancelled.
    @usableFromInline let canceller: EffectCanceller?
    /// By state: the address of the store's live state, to be read while the pipeline calls the middleware. Nil: the
    /// getter is used.
    @usableFromInline let live: UnsafePointer<State>?
    /// Keeps the memory of `live` alive.
    private let state: StateSource<State>?
    private let observation: GateObservation?

    @usableFromInline
    init(gate: Gate, canceller: EffectCanceller?, isBound: Bool, state: StateSource<State>?) {
        self.gate = gate
        self.canceller = canceller
        live = state?.live
        self.state = state
        let looking: @Sendable () -> Bool = { gate.isOpen }
        isOpen = isBound ? looking : nil
        output = isBound ? LiftedOutputMemory { gatedOutput($0, while: looking) } : nil
        guard let canceller, !canceller.isEmpty else {
            observation = nil
            return
        }
        observation = gate.observe { isOpen in if !isOpen { canceller.cancelAll() } }
    }
}

/// Returns this output, open only while the gate is open.
@usableFromInline
func gatedOutput<Output>(
    _ output: AnyActionHandler<Output>,
    while isOpen: @escaping @Sendable () -> Bool
) -> AnyActionHandler<Output> {
    output.compactContramap { isOpen() ? $0 : nil }
}

/// Returns this IO with an output that is open only while the gate is open. If the gate was closed meanwhile, the
/// effects that the IO started are cancelled at once: the thread that closed the gate may have cancelled before they
/// were started.
@usableFromInline
func gatedIO<Output>(
    _ io: IO<Output>,
    while isOpen: @escaping @Sendable () -> Bool,
    canceller: EffectCanceller?
) -> IO<Output> {
    IO { output in
        io.run(gatedOutput(output, while: isOpen))
        cancelIfClosed(canceller, while: isOpen)
    }
}

/// Cancels the effects of a middleware behind a gate, if the gate was closed while the middleware started one.
@usableFromInline
func cancelIfClosed(_ canceller: EffectCanceller?, while isOpen: () -> Bool) {
    #if MILLRACE_PLANTED
        if Planted.has(.gateHalfOpen) { return }
    #endif
    if let canceller, !isOpen() { canceller.cancelAll() }
}
