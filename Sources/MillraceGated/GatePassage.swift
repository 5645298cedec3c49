// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What a gated middleware remembers of the action at hand, and what it needs when the gate closes.
///
/// Each binding to a store has its own.
@usableFromInline
final class GatePassage<Output, State>: @unchecked Sendable {
    // Unchecked: the variables belong to the pipeline's thread of the store that the middleware is bound to, and to
    // whoever calls it where there is none.

    /// Whether the action at hand was let in: decided once, so that it is seen as a whole or not at all.
    @usableFromInline @exclusivity(unchecked) var isAdmitted = true
    /// By state: whether there is an output that looks at the gate, or an effect that it may cancel.
    @usableFromInline @exclusivity(unchecked) var isWatched = false
    /// By state a gate of its own, which the pipeline moves after the reducers: outputs may be used on any thread, and
    /// there the state is an older one, or has to be waited for.
    @usableFromInline let gate: Gate
    /// For outputs; nil where each asks for itself: outside of a store, and for an element, which has its own state.
    @usableFromInline let isOpen: (@Sendable () -> Bool)?
    /// In a store that always gives the same output.
    @usableFromInline let output: LiftedOutputMemory<Output, Output>?
    /// nil: effects are not cancelled.
    @usableFromInline let canceller: EffectCanceller?
    /// By state: where the state of the store lies, to be looked at while the pipeline calls; nil where the getter tells.
    @usableFromInline let live: UnsafePointer<State>?
    /// Keeps the memory of `live`.
    private let liveState: LiveState<State>?
    private let observation: GateObservation?

    @usableFromInline
    init(gate: Gate, canceller: EffectCanceller?, isBound: Bool, live: LiveState<State>?) {
        self.gate = gate
        self.canceller = canceller
        self.live = live?.pointer
        liveState = live
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

/// The same output, open only while the gate is.
@usableFromInline
func gatedOutput<Output>(
    _ output: AnyActionHandler<Output>,
    while isOpen: @escaping @Sendable () -> Bool
) -> AnyActionHandler<Output> {
    output.compactContramap { isOpen() ? $0 : nil }
}

/// The same work, whose output is open only while the gate is. Effects that it has started are cancelled at once when
/// the gate was closed meanwhile: who closed it may have come before they could be cancelled.
@usableFromInline
func gatedWork<Output>(
    _ io: IO<Output>,
    while isOpen: @escaping @Sendable () -> Bool,
    canceller: EffectCanceller?
) -> IO<Output> {
    IO { output in
        io.run(gatedOutput(output, while: isOpen))
        if let canceller, !isOpen() { canceller.cancelAll() }
    }
}
