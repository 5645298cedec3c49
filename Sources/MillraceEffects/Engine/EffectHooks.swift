// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The closures by which one effect middleware handles an action, made once the getter of its state is known.
///
/// In a store the hooks are made once. They are called on the pipeline's thread only: `before`, `after`, `end` for
/// each action. No escaping closure is passed to them, as that would cost an allocation each time.
@usableFromInline
struct EffectHooks<InputAction, OutputAction>: Sendable {
    @usableFromInline typealias Before = @Sendable (InputAction) -> Void
    @usableFromInline typealias After = @Sendable (InputAction, ActionSource, () -> EffectOutput<OutputAction>) -> Void
    @usableFromInline typealias End = @Sendable () -> Void

    /// Called before the reducers: keeps a copy of state that may be gone after them.
    @usableFromInline let before: Before?
    /// Called after the reducers: asks for the effect. If there is one, asks for the output, and starts the effect.
    @usableFromInline let after: After
    /// Releases what `before` has kept.
    @usableFromInline let end: End?

    @inlinable
    init(
        before: Before? = nil,
        after: @escaping After,
        end: End? = nil
    ) {
        self.before = before
        self.after = after
        self.end = end
    }

    /// Returns hooks that call all given hooks, in order; nil if there are none.
    @inlinable
    static func joined(_ passes: [EffectHooks]) -> EffectHooks? {
        guard passes.count > 1 else { return passes.first }
        let befores = passes.compactMap(\.before)
        let ends = passes.compactMap(\.end)
        return EffectHooks(
            before: befores.isEmpty
                ? nil
                : { @Sendable action in
                    for before in befores { before(action) }
                },
            after: { action, dispatcher, output in
                for pass in passes { pass.after(action, dispatcher, output) }
            },
            end: ends.isEmpty
                ? nil
                : { @Sendable in
                    for end in ends { end() }
                }
        )
    }

    /// Adapts these hooks to larger actions. `output` gets the action that the effect answers, and may drop what the
    /// effect sends.
    @inlinable
    func lifted<GlobalInput, GlobalOutput>(
        input: @escaping @Sendable (GlobalInput) -> InputAction?,
        output: @escaping @Sendable (GlobalInput, OutputAction) -> GlobalOutput?
    ) -> EffectHooks<GlobalInput, GlobalOutput> {
        let after = after
        return EffectHooks<GlobalInput, GlobalOutput>(
            before: before.map { before in
                { @Sendable global in
                    if let action = input(global) { before(action) }
                }
            },
            after: { global, dispatcher, target in
                guard let action = input(global) else { return }
                after(action, dispatcher) { target().lifted(global, output) }
            },
            end: end
        )
    }
}
