// SPDX-License-Identifier: Apache-2.0

extension IO {
    /// The same work, with each dispatched action changed on its way. Source, cause and run are kept; pure stays pure.
    ///
    /// ```swift
    /// let io: IO<AppAction> = authIO.map(AppAction.auth)
    /// ```
    @preconcurrency
    @inlinable
    public func map<NewActionType>(
        _ transform: @escaping @Sendable (OutputActionType) -> NewActionType
    ) -> IO<NewActionType> {
        guard let work else { return .pure() }
        return IO<NewActionType> { output in work(output.contramap(transform)) }
    }

    /// The same work, with each dispatched action turned, at the moment it is dispatched, into work that runs at once.
    ///
    /// ```swift
    /// let gated = io.flatMap { dispatched in
    ///     isOpen() ? IO { $0.dispatch(dispatched) } : .pure()
    /// }
    /// ```
    ///
    /// The new work runs on the thread that dispatches, against the outer output, and so with its cause and run.
    @preconcurrency
    @inlinable
    public func flatMap<NewActionType>(
        _ transform: @escaping @Sendable (DispatchedAction<OutputActionType>) -> IO<NewActionType>
    ) -> IO<NewActionType> {
        guard let work else { return .pure() }
        return IO<NewActionType> { output in
            let sink = ForwardingSink<OutputActionType> { action, _, _ in transform(action).run(output) }
            work(AnyActionHandler(sink: sink, cause: output.cause, run: output.run))
        }
    }
}
