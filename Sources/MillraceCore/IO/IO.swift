// SPDX-License-Identifier: Apache-2.0

/// The code that a middleware returns for an action, and that the pipeline runs after the reducers.
///
/// ```swift
/// func handle(
///     action: AppAction, from dispatcher: ActionSource, state: @escaping GetState<AppState>
/// ) -> IO<AppAction> {
///     guard case .save = action else { return .pure() }
///     return IO { output in
///         save(state())               // the state after the reducers
///         output.dispatch(.saved)
///     }
/// }
/// ```
///
/// **Threads and order.** A store runs the IO on the pipeline's thread, after the reducers of its action and before the
/// next action. An IO may be run any number of times. You may keep the output and use it later, from any thread.
/// Actions dispatched to the output go to the tail of the queue. `a <> b` runs `a`, then `b`.
///
/// **Cost.** ``pure()`` holds nothing and costs nothing, and composing with it returns the other IO. A closure that
/// captures something costs an allocation: about 60 nanoseconds.
public struct IO<OutputActionType>: Monoid, Sendable {
    /// Nil if there is nothing to do.
    @usableFromInline let body: (@Sendable (AnyActionHandler<OutputActionType>) -> Void)?

    /// Creates an IO that may dispatch to the output that it receives.
    @preconcurrency
    @inlinable
    public init(_ run: @escaping @Sendable (AnyActionHandler<OutputActionType>) -> Void) {
        body = run
    }

    @inlinable
    init(body: (@Sendable (AnyActionHandler<OutputActionType>) -> Void)?) {
        self.body = body
    }

    /// Returns an IO that does nothing, at no cost.
    @inlinable
    public static func pure() -> IO {
        IO(body: nil)
    }

    /// The same as ``pure()``.
    @inlinable
    public static var identity: IO { .pure() }

    /// Whether this IO does nothing.
    @inlinable
    public var isPure: Bool { body == nil }

    /// Runs this IO; it dispatches to `output`.
    @inlinable
    public func run(_ output: AnyActionHandler<OutputActionType>) {
        body?(output)
    }

    /// Runs this IO and passes each dispatched action to a closure.
    @preconcurrency
    @inlinable
    public func run(_ output: @escaping @Sendable (DispatchedAction<OutputActionType>) -> Void) {
        body?(AnyActionHandler(output))
    }

    /// Returns an IO that runs `lhs`, then `rhs`. If one of them is pure, returns the other one at no cost.
    @inlinable
    public static func <> (lhs: IO, rhs: IO) -> IO {
        guard let first = lhs.body else { return rhs }
        guard let second = rhs.body else { return lhs }
        return IO { output in
            first(output)
            second(output)
        }
    }
}
