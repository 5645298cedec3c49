// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

extension EffectMiddleware {
    /// A middleware that keeps long-lived effects as a part of the state asks, once it is given what they need: see
    /// ``SupervisingMiddleware``.
    @preconcurrency
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
    public static func supervise(
        options: EffectOptions = EffectOptions(),
        _ wanted: @escaping @Sendable (StateType) -> [SupervisedEffect<Void, OutputActionType>]
    ) -> SupervisingMiddleware<InputActionType, OutputActionType, StateType, Void> {
        SupervisingMiddleware(dependencies: (), options: options, by: \.self, wanted)
    }
}
