// SPDX-License-Identifier: Apache-2.0

package import MillraceCore

/// The sink of a handler that was made from a store. Keeps the store.
final class StoreSink<Action>: ActionSink<Action>, @unchecked Sendable {
    // Unchecked because the superclass is; the closures are Sendable.
    typealias Take = @Sendable (sending DispatchedAction<Action>) -> Void
    typealias TakeUrgently = @Sendable (sending DispatchedAction<Action>) -> OfferResult

    private let take: Take
    private let takeUrgently: TakeUrgently

    init(take: @escaping Take, takeUrgently: @escaping TakeUrgently) {
        self.take = take
        self.takeUrgently = takeUrgently
    }

    override func accept(_ dispatchedAction: sending DispatchedAction<Action>, cause: ActionCause, run: EffectRun?) {
        take(dispatchedAction)
    }

    override func acceptUrgently(
        _ dispatchedAction: sending DispatchedAction<Action>,
        cause: ActionCause,
        run: EffectRun?
    ) -> OfferResult {
        takeUrgently(dispatchedAction)
    }
}

extension StoreSink {
    /// A sink that keeps the owner of a core.
    convenience init<State>(_ core: StoreCore<Action, State>, of owner: any AnyObject & Sendable) {
        self.init(
            take: { action in
                withExtendedLifetime(owner) { core.take(action, cause: .none, run: nil, flags: 0) }
            },
            takeUrgently: { action in
                withExtendedLifetime(owner) { core.takeUrgent(action, cause: .none, run: nil) }
            }
        )
    }
}

extension ReduxStoreBase: UrgentHandler {
    @usableFromInline
    package final func makeSink() -> ActionSink<ActionType> { StoreSink(core, of: self) }
}

extension ReduxPipelineWrapper: UrgentHandler {
    @usableFromInline
    package func makeSink() -> ActionSink<ActionType> { StoreSink(core, of: self) }
}

extension ShardedStore: UrgentHandler {
    @usableFromInline
    package func makeSink() -> ActionSink<ActionType> {
        StoreSink(take: { self.dispatch($0) }, takeUrgently: { self.takeUrgent($0) })
    }

    @usableFromInline
    func takeUrgent(_ dispatchedAction: sending DispatchedAction<ActionType>) -> OfferResult {
        let core = shards[index(dispatchedAction.action)].core
        if closed {
            core.reject(1)
            return .closed
        }
        return core.takeUrgent(dispatchedAction, cause: .none, run: nil)
    }
}
