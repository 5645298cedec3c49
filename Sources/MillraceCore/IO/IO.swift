// SPDX-License-Identifier: Apache-2.0

/// Work to be done once the reducers have run: what a middleware answers to an action.
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
/// **Threads and order.** A store runs it on the pipeline's thread, after the reducers of its action and before the
/// next action. It may be run any number of times. The output may be kept and used later from any thread; what it
/// dispatches goes to the tail of the queue. `a <> b` runs `a`, then `b`.
///
/// **Cost.** ``pure()`` carries nothing and costs nothing, and composing with it returns the other side. A closure
/// that captures something is an allocation: 60 nanoseconds or so.
public struct IO<OutputActionType>: Monoid, Sendable {
    /// nil: nothing to do.
    @usableFromInline let work: (@Sendable (AnyActionHandler<OutputActionType>) -> Void)?

    /// Work that may dispatch to the output it is given.
    @preconcurrency
    @inlinable
    public init(_ run: @escaping @Sendable (AnyActionHandler<OutputActionType>) -> Void) {
        work = run
    }

    @inlinable
    init(work: (@Sendable (AnyActionHandler<OutputActionType>) -> Void)?) {
        self.work = work
    }

    /// Nothing to do, at no cost.
    @inlinable
    public static func pure() -> IO {
        IO(work: nil)
    }

    /// The same as ``pure()``.
    @inlinable
    public static var identity: IO { .pure() }

    /// Whether there is nothing to do.
    @inlinable
    public var isPure: Bool { work == nil }

    /// Does the work; what it dispatches goes to `output`.
    @inlinable
    public func run(_ output: AnyActionHandler<OutputActionType>) {
        work?(output)
    }

    /// Does the work; what it dispatches is given to a closure.
    @preconcurrency
    @inlinable
    public func run(_ output: @escaping @Sendable (DispatchedAction<OutputActionType>) -> Void) {
        work?(AnyActionHandler(output))
    }

    /// Runs `lhs`, then `rhs`. When one of them is pure it is the other, at no cost.
    @inlinable
    public static func <> (lhs: IO, rhs: IO) -> IO {
        guard let first = lhs.work else { return rhs }
        guard let second = rhs.work else { return lhs }
        return IO { output in
            first(output)
            second(output)
        }
    }
}
