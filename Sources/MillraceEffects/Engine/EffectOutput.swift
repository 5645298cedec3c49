// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The handler of an effect's actions, and the elements of collections that the effect is started for.
///
/// It is made only if there is an effect to start: lifting it allocates.
@usableFromInline
struct EffectOutput<Action>: Sendable {
    @usableFromInline let handler: AnyActionHandler<Action>
    @usableFromInline let scope: EffectScope
    @usableFromInline let binding: EffectBinding?

    @inlinable
    init(_ handler: AnyActionHandler<Action>, _ binding: EffectBinding?) {
        self.init(handler, scope: binding?.scope ?? EffectScope(), binding)
    }

    @inlinable
    init(_ handler: AnyActionHandler<Action>, scope: EffectScope, _ binding: EffectBinding?) {
        self.handler = handler
        self.scope = scope
        self.binding = binding
    }

    /// The binding with whose end the effect is cancelled; nil outside of a store.
    @usableFromInline var bindingID: EffectBinding.ID? { binding.map { ObjectIdentifier($0) } }

    /// Returns the output for an effect that answers a part of the action `global`. `output` gets the whole action and
    /// what the effect sends, which it may drop.
    @inlinable
    func lifted<Global, Part>(
        _ global: Global,
        _ output: @escaping @Sendable (Global, Part) -> Action?
    ) -> EffectOutput<Part> {
        let global = Unchecked(global)  // Outputs may contain parts of the handled action, as in every lift.
        return EffectOutput<Part>(handler.compactContramap { output(global.value, $0) }, scope: scope, binding)
    }

    /// Returns this output for an element of a collection. The tokens of the effect are then that element's own.
    func scoped(to id: AnyHashable) -> EffectOutput {
        EffectOutput(handler, scope: scope.inside(id), binding)
    }
}
