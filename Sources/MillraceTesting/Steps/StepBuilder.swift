// SPDX-License-Identifier: Apache-2.0

/// Builds the list of steps of a test: steps, lists of steps, `if`, `switch` and `for`.
@resultBuilder
public struct StepBuilder<Action, State> {
    /// Takes a step.
    public static func buildExpression(_ step: some StepProtocol<Action, State>) -> [Step<Action, State>] {
        [step.asStep]
    }

    // Overloads for the three kinds of steps, so that the compiler can infer their type parameters.

    /// Takes a step.
    public static func buildExpression(_ step: Send<Action, State>) -> [Step<Action, State>] { [step.asStep] }

    /// Takes a step.
    public static func buildExpression(_ step: Receive<Action, State>) -> [Step<Action, State>] { [step.asStep] }

    /// Takes a step.
    public static func buildExpression(_ step: SideEffectResult<Action, State>) -> [Step<Action, State>] {
        [step.asStep]
    }

    /// Takes a list of steps.
    public static func buildExpression(_ steps: [Step<Action, State>]) -> [Step<Action, State>] { steps }

    /// Joins the steps of a block.
    public static func buildBlock(_ parts: [Step<Action, State>]...) -> [Step<Action, State>] { parts.flatMap { $0 } }

    /// Takes the steps of an `if` without `else`.
    public static func buildOptional(_ part: [Step<Action, State>]?) -> [Step<Action, State>] { part ?? [] }

    /// Takes the steps of the first branch.
    public static func buildEither(first part: [Step<Action, State>]) -> [Step<Action, State>] { part }

    /// Takes the steps of the other branch.
    public static func buildEither(second part: [Step<Action, State>]) -> [Step<Action, State>] { part }

    /// Joins the steps of a loop.
    public static func buildArray(_ parts: [[Step<Action, State>]]) -> [Step<Action, State>] { parts.flatMap { $0 } }

    /// Takes the steps of an `if #available`.
    public static func buildLimitedAvailability(_ part: [Step<Action, State>]) -> [Step<Action, State>] { part }
}
