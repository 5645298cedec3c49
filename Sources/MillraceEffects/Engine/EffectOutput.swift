// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What an effect is started with besides its body: the target of its actions with their cause and run, the elements of
/// collections that the effect is started for, and the binding of the middleware's copy, which is nil outside of a
/// store.
///
/// It is made only if there is an effect to start, because lifting it allocates. It does not retain the run, the
/// binding and the target, unless the target was made for a lift. So it must not outlive the call to which the handler
/// and the binding were passed.
@usableFromInline
struct EffectOutput<Action> {
    @usableFromInline let target: Unmanaged<ActionSink<Action>>
    @usableFromInline let cause: ActionCause
    @usableFromInline let run: Unmanaged<EffectRun>?
    @usableFromInline let scope: EffectScope
    @usableFromInline let binding: Unmanaged<EffectBinding>?
    /// The target, if it was made for a lift.
    @usableFromInline let lifted: ActionSink<Action>?

    /// Creates the output for an effect that is not started for an element.
    @inlinable @inline(__always)
    init(_ handler: AnyActionHandler<Action>, _ binding: EffectBinding?) {
        target = .passUnretained(handler.sink)
        cause = handler.cause
        if let run = handler.run { self.run = .passUnretained(run) } else { run = nil }
        if let binding {
            self.binding = .passUnretained(binding)
            scope = binding.scope
        } else {
            self.binding = nil
            scope = EffectScope()
        }
        lifted = nil
    }

    @inlinable
    init<Whole>(lifted: ActionSink<Action>, of whole: EffectOutput<Whole>, scope: EffectScope) {
        target = .passUnretained(lifted)
        self.lifted = lifted
        cause = whole.cause
        run = whole.run
        self.scope = scope
        binding = whole.binding
    }

    /// Returns the output for an effect that answers a part of the action `global`. `output` gets the whole action and
    /// what the effect sends, which it may drop.
    ///
    /// - Parameter id: The element of a collection that the effect is started for, if any. The tokens of the effect are
    ///   then that element's own.
    @inlinable
    func lifted<Global, Part>(
        _ global: Global,
        to id: AnyHashable? = nil,
        _ output: @escaping @Sendable (Global, Part) -> Action?
    ) -> EffectOutput<Part> {
        let global = Unchecked(global)  // Outputs may contain parts of the handled action, as in every lift.
        let handler = AnyActionHandler(sink: target.takeUnretainedValue())
        let lifted = handler.compactContramap { output(global.value, $0) }.sink
        return EffectOutput<Part>(lifted: lifted, of: self, scope: id.map(scope.inside) ?? scope)
    }
}
