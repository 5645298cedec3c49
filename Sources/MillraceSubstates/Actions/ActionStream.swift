// SPDX-License-Identifier: Apache-2.0

/// A stream of actions made of asynchronous steps: what an action creator returns.
///
/// ```swift
/// static func load(from server: Server) -> ActionStream {
///     ActionStream(
///         { TasksAction.loading },
///         { TasksAction.loaded(try await server.tasks()) },
///         catchErrors: { error in TasksAction.failed("\(error)") }
///     )
/// }
/// ```
///
/// An action creator is a function from some inputs to such a stream, or to any other asynchronous sequence of actions.
/// `dispatch(actionsOf:)` of a ``SubstateStore`` dispatches its actions. A step runs after the action of the previous
/// step was dispatched. Each loop over the stream runs all steps again.
public struct ActionStream: AsyncSequence, Sendable {
    /// A step: returns an action, or nil for none.
    public typealias Step = @Sendable () async throws -> AnyActionType?
    /// The actions.
    public typealias Element = AnyActionType
    /// The errors of the steps, if no function turns them into actions.
    public typealias Failure = any Error

    private let steps: [Step]
    private let catchErrors: (@Sendable (any Error) -> AnyActionType?)?

    /// Creates a stream of steps, which run one after the other.
    ///
    /// - Parameters:
    ///   - steps: The steps.
    ///   - catchErrors: The function that turns an error into the last action of the stream, or into none. Nil: the
    ///     stream throws the error.
    public init(_ steps: Step..., catchErrors: (@Sendable (any Error) -> AnyActionType?)? = nil) {
        self.steps = steps
        self.catchErrors = catchErrors
    }

    /// Returns an iterator, which runs the steps from the beginning.
    public func makeAsyncIterator() -> Iterator { Iterator(steps, catchErrors) }

    /// An iterator. When its caller asks for the next action, it runs the next step.
    public struct Iterator: AsyncIteratorProtocol {
        private var steps: ArraySlice<Step>
        private let catchErrors: (@Sendable (any Error) -> AnyActionType?)?

        init(_ steps: [Step], _ catchErrors: (@Sendable (any Error) -> AnyActionType?)?) {
            self.steps = steps[...]
            self.catchErrors = catchErrors
        }

        /// Runs steps until one has returned an action. Returns nil at the end.
        public mutating func next() async throws -> AnyActionType? {
            while let step = steps.popFirst() {
                do {
                    if let action = try await step() { return action }
                } catch {
                    steps = []
                    guard let catchErrors else { throw error }
                    return catchErrors(error)
                }
            }
            return nil
        }
    }
}
