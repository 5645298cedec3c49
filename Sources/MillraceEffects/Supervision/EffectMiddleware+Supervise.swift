// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// A middleware that keeps long-lived effects as a part of the state asks, once it is given what they need: see
    /// ``SupervisingMiddleware``.
    @preconcurrency
    @inlinable
    public static func supervise<Part: Equatable>(
        options: EffectOptions = EffectOptions(),
        by part: @escaping @Sendable (StateType) -> Part,
        _ wanted: @escaping @Sendable (Part) -> [SupervisedEffect<Dependencies, OutputActionType>]
    ) -> MiddlewareReader<
        Dependencies, SupervisingMiddleware<InputActionType, OutputActionType, StateType, Dependencies>
    > {
        // Unchecked: it captures what is Sendable, and a type whose conformance might be isolated to an actor.
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
    /// A middleware that keeps long-lived effects as a part of the state asks: see ``SupervisingMiddleware``.
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
    /// A middleware that keeps long-lived effects as the state asks. It compares the whole state after each action:
    /// where that is large, `supervise(by:)` is faster.
    @preconcurrency
    @inlinable
    public static func supervise(
        options: EffectOptions = EffectOptions(),
        _ wanted: @escaping @Sendable (StateType) -> [SupervisedEffect<Void, OutputActionType>]
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: whole(), wanted)
    }
}

/// The whole of a state. Not a key path, which is slow to read, nor a closure where the state is Equatable, as it would
/// capture that.
@inlinable
func whole<State>() -> @Sendable (State) -> State {
    { $0 }
}
