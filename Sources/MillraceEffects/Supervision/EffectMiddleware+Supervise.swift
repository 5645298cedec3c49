// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// Creates a middleware that keeps the long-lived effects that a part of the state asks for, once its dependencies
    /// are injected: see ``SupervisingMiddleware``.
    @preconcurrency
    @inlinable
    public static func supervise<Part: Equatable>(
        options: EffectOptions = EffectOptions(),
        by part: @escaping @Sendable (StateType) -> Part,
        _ wanted: @escaping @Sendable (Part) -> [SupervisedEffect<Dependencies, OutputActionType>]
    ) -> MiddlewareReader<
        Dependencies, SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>
    > {
        // Unchecked: it captures Sendable values and a type. To the compiler its conformance might be isolated to an
        // actor.
        let make = Unchecked { dependencies in
            SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>(
                dependencies: dependencies,
                options: options,
                by: part,
                wanted
            )
        }
        return MiddlewareReader { make.value($0) }
    }
}

extension EffectMiddleware where Dependencies == Void {
    /// Creates a middleware that keeps the long-lived effects that a part of the state asks for: see
    /// ``SupervisingMiddleware``.
    @preconcurrency
    @inlinable
    public static func supervise<Part: Equatable>(
        options: EffectOptions = EffectOptions(),
        by part: @escaping @Sendable (StateType) -> Part,
        _ wanted: @escaping @Sendable (Part) -> [SupervisedEffect<Void, OutputActionType>]
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: part, wanted)
    }
}

extension EffectMiddleware where Dependencies == Void, StateType: Equatable {
    /// Creates a middleware that keeps the long-lived effects that the state asks for. It compares the whole state
    /// after each action: for a large state `supervise(by:)` is faster.
    @preconcurrency
    @inlinable
    public static func supervise(
        options: EffectOptions = EffectOptions(),
        _ wanted: @escaping @Sendable (StateType) -> [SupervisedEffect<Void, OutputActionType>]
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: whole(), wanted)
    }
}

/// Returns the identity function. Not a key path, which is slow to read. Not a closure in a context where the state is
/// Equatable, which would capture the conformance.
@inlinable
func whole<State>() -> @Sendable (State) -> State {
    { $0 }
}
