// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What one effect middleware does with an action, once it is known where the state it reads comes from.
///
/// In a store it is made once, and called on the pipeline's thread only: `before`, `after`, `end` for each action. No
/// escaping closure is handed to these closures, as that would be an allocation each time.
@usableFromInline
struct EffectHooks<InputAction, OutputAction>: Sendable {
    @usableFromInline typealias Before = @Sendable (InputAction) -> Void
    @usableFromInline typealias After = @Sendable (InputAction, ActionSource, () -> EffectOutput<OutputAction>) -> Void
    @usableFromInline typealias End = @Sendable () -> Void

    /// Before the reducers: to keep what may be gone after them.
    @usableFromInline let before: Before?
    /// After the reducers: asks for the effect, and starts it, if there is one; only then it asks where to.
    @usableFromInline let after: After
    /// To let go of what was kept.
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

    /// All of them in one, in their order; nil if there is none.
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

    /// The same in larger actions; `output` is given the action that the effect answers, and may drop what it sends.
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
