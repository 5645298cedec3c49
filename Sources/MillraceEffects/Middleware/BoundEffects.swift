// SPDX-License-Identifier: Apache-2.0

/// What a store has bound for one copy of an effect middleware: the hooks of all its parts, joined once, and the
/// store's part in the copy.
///
/// In one object: the pipeline calls the closures of an object without counting references. It would retain and
/// release those of a structure for each call, by two atomic operations.
@usableFromInline
final class BoundEffects<InputAction, OutputAction>: Sendable {
    @usableFromInline typealias Hooks = EffectHooks<InputAction, OutputAction>

    /// False if there are no parts, and in a lift to an element, where `handle` makes the hooks for each action.
    @usableFromInline let hasHooks: Bool
    @usableFromInline let before: Hooks.Before?
    /// Does nothing without hooks. It is no optional, because calling an optional closure would retain it.
    @usableFromInline let after: Hooks.After
    @usableFromInline let end: Hooks.End?
    @usableFromInline let binding: EffectBinding

    // The closures are not passed through `map` or `??`: those would wrap each in another one.
    @inlinable
    init(_ hooks: Hooks?, _ binding: EffectBinding) {
        if let hooks {
            hasHooks = true
            before = hooks.before
            after = hooks.after
            end = hooks.end
        } else {
            hasHooks = false
            before = nil
            after = { @Sendable _, _, _ in }
            end = nil
        }
        self.binding = binding
    }
}
