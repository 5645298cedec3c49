// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceEffects

extension SubstateStore {
    /// Dispatches an action with a given source. Threads, order and guarantees are those of `ReduxStoreBase.dispatch`.
    @inlinable
    public func dispatch(_ action: any ActionType, from dispatcher: ActionSource) {
        base.dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }

    /// Dispatches an action. The action's source is this call.
    @inlinable
    public func dispatch(
        _ action: any ActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) {
        base.dispatch(DispatchedAction(action, file: file, function: function, line: line))
    }

    /// Dispatches an action. The action's source is this call. This is its name in RxState.
    @inlinable
    public func dispatch(
        action: AnyActionType,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) {
        base.dispatch(DispatchedAction(action, file: file, function: function, line: line))
    }

    /// Dispatches an action of the store itself: `store.dispatch(.add(states: [Tasks()]))`.
    @inlinable
    public func dispatch(
        _ action: StoreAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line
    ) {
        dispatch(action: action, file: file, function: function, line: line)
    }

    /// Dispatches the actions of an asynchronous sequence, such as the result of an action creator, as they come.
    ///
    /// ```swift
    /// store.dispatch(actionsOf: TasksCreator.load(from: server), token: "load") { .failed("\($0)") }
    /// ```
    ///
    /// The call dispatches one action, ``RunActions``. When the store handles it, an effect of the store begins to read
    /// the sequence in a task of its own. The effect ends, is replaced and is cancelled like every effect of
    /// `MillraceEffects`.
    ///
    /// - Parameters:
    ///   - actions: The sequence.
    ///   - token: The token that cancels the effect, or nil.
    ///   - policy: What happens if an effect with the same token already runs.
    ///   - file: The file of the call, for the sources of the actions.
    ///   - function: The function that contains the call.
    ///   - line: The line of the call.
    ///   - catchErrors: The function that turns the error of the sequence into its last action, or into none. If nil,
    ///     the error is reported as ``SubstateError/actionsFailed(stream:error:)``.
    public func dispatch<Actions: AsyncSequence & Sendable>(
        actionsOf actions: Actions,
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        catchErrors: (@Sendable (any Error) -> AnyActionType?)? = nil
    ) where Actions.Element == AnyActionType {
        let name = String(describing: Actions.self)
        let errors = parts.errors
        let effect = Effect<Void, AnyActionType>.stream(
            token: token,
            policy: policy,
            file: file,
            function: function,
            line: line,
            { _ in actions },
            catchErrors: { error in
                if let catchErrors { return catchErrors(error) }
                errors.report(.actionsFailed(stream: name, error: String(describing: error)))
                return nil
            }
        )
        dispatch(action: RunActions(name, effect.named(name)), file: file, function: function, line: line)
    }

    /// Dispatches the actions of an asynchronous sequence of one type of action, as they come.
    public func dispatch<Actions: AsyncSequence & Sendable>(
        actionsOf actions: Actions,
        token: (any Hashable & Sendable)? = nil,
        policy: EffectPolicy = .replace,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        catchErrors: (@Sendable (any Error) -> AnyActionType?)? = nil
    ) where Actions.Element: ActionType {
        dispatch(
            actionsOf: actions.map { $0 as AnyActionType },
            token: token,
            policy: policy,
            file: file,
            function: function,
            line: line,
            catchErrors: catchErrors
        )
    }

    /// Cancels the streams of actions of a token. After this call, the store handles none of their actions that still
    /// wait.
    public func cancel<Token: Hashable & Sendable>(_ token: Token) { parts.effects.cancel(token) }

    /// Cancels all streams of actions.
    public func cancelAll() { parts.effects.cancelAll() }

    /// Waits until all actions dispatched before are finished and their state is published, as `ReduxStoreBase.drain`.
    /// It does not wait for streams of actions.
    public func drain() async { await base.drain() }

    /// Closes the store, and finishes the actions that wait, as `ReduxStoreBase.shutdown`.
    public func shutdown(deadline: Duration = .seconds(30)) async -> ShutdownReport {
        await base.shutdown(deadline: deadline)
    }
}
