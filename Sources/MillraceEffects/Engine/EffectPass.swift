// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What one effect middleware does with an action, once it is known where the state it reads comes from.
///
/// In a store it is made once, and called on the pipeline's thread only: `before`, `after`, `end` for each action. No
/// closure is handed to these closures, as that would be an allocation each time.
@usableFromInline
struct EffectPass<InputAction, OutputAction>: Sendable {
    /// Before the reducers: to keep what may be gone after them.
    @usableFromInline let before: (@Sendable (InputAction) -> Void)?
    /// After the reducers: asks for the effect; nil if there is none.
    @usableFromInline let after: @Sendable (InputAction, ActionSource) -> EffectLaunch<OutputAction>?
    /// To let go of what was kept.
    @usableFromInline let end: (@Sendable () -> Void)?

    @inlinable
    init(
        before: (@Sendable (InputAction) -> Void)? = nil,
        after: @escaping @Sendable (InputAction, ActionSource) -> EffectLaunch<OutputAction>?,
        end: (@Sendable () -> Void)? = nil
    ) {
        self.before = before
        self.after = after
        self.end = end
    }

    /// The same in larger actions; `output` is given the action that the effect answers, and may drop what it sends.
    @inlinable
    func lifted<GlobalInput, GlobalOutput>(
        input: @escaping @Sendable (GlobalInput) -> InputAction?,
        output: @escaping @Sendable (GlobalInput, OutputAction) -> GlobalOutput?
    ) -> EffectPass<GlobalInput, GlobalOutput> {
        let after = after
        return EffectPass<GlobalInput, GlobalOutput>(
            before: before.map { before in
                { @Sendable global in
                    if let action = input(global) { before(action) }
                }
            },
            after: { global, dispatcher in
                guard let action = input(global) else { return nil }
                return after(action, dispatcher)?.lifted(global, output)
            },
            end: end
        )
    }
}

extension EffectLaunch {
    @usableFromInline
    func lifted<GlobalInput, GlobalOutput>(
        _ global: GlobalInput,
        _ output: @escaping @Sendable (GlobalInput, OutputAction) -> GlobalOutput?
    ) -> EffectLaunch<GlobalOutput> {
        let global = Unchecked(global)  // Parts of the handled action may go out again, as in every lift.
        return compactMap { output(global.value, $0) }
    }
}
