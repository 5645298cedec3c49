// SPDX-License-Identifier: Apache-2.0

extension IO {
    /// Returns an IO that transforms each dispatched action. Source, cause and run are kept; a pure IO stays pure.
    ///
    /// ```swift
    /// let io: IO<AppAction> = authIO.map(AppAction.auth)
    /// ```
    @preconcurrency
    @inlinable
    public func map<NewActionType>(
        _ transform: @escaping @Sendable (OutputActionType) -> NewActionType
    ) -> IO<NewActionType> {
        guard let body else { return .pure() }
        return IO<NewActionType> { output in body(output.contramap(transform)) }
    }

    /// Returns an IO that turns each dispatched action into another IO and runs that IO at once.
    ///
    /// ```swift
    /// let gated = io.flatMap { dispatched in
    ///     isOpen() ? IO { $0.dispatch(dispatched) } : .pure()
    /// }
    /// ```
    ///
    /// The other IO runs on the dispatching thread. It dispatches to the outer output, and so has that output's cause
    /// and run.
    @preconcurrency
    @inlinable
    public func flatMap<NewActionType>(
        _ transform: @escaping @Sendable (DispatchedAction<OutputActionType>) -> IO<NewActionType>
    ) -> IO<NewActionType> {
        guard let body else { return .pure() }
        return IO<NewActionType> { output in
            let sink = ForwardingSink<OutputActionType> { action, _, _, _ in
                transform(action).run(output)
                return .accepted
            }
            body(AnyActionHandler(sink: sink, cause: output.cause, run: output.run))
        }
    }
}
