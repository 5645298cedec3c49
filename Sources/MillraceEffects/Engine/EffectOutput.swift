// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Where the actions of an effect go, and for which elements of collections it is started.
///
/// Made only when there is something to start: a lift of it allocates.
@usableFromInline
struct EffectOutput<Action>: Sendable {
    @usableFromInline let handler: AnyActionHandler<Action>
    @usableFromInline let scope: EffectScope
    @usableFromInline let binding: EffectBinding?

    @inlinable
    init(_ handler: AnyActionHandler<Action>, scope: EffectScope = EffectScope(), _ binding: EffectBinding?) {
        self.handler = handler
        self.scope = scope
        self.binding = binding
    }

    /// With whose end the effect is cancelled; nil outside of a store.
    @usableFromInline var bindingID: EffectBinding.ID? { binding.map { ObjectIdentifier($0) } }

    /// The same for the actions of an effect that answers a part of this action; `output` is given the whole, and may
    /// drop what is sent.
    @inlinable
    func lifted<Global, Part>(
        _ global: Global,
        _ output: @escaping @Sendable (Global, Part) -> Action?
    ) -> EffectOutput<Part> {
        let global = Unchecked(global)  // Parts of the handled action may go out again, as in every lift.
        return EffectOutput<Part>(handler.compactContramap { output(global.value, $0) }, scope: scope, binding)
    }

    /// The same for an element of a collection: its tokens are that element's own.
    func scoped(to id: AnyHashable) -> EffectOutput {
        EffectOutput(handler, scope: scope.inside(id), binding)
    }
}
