// SPDX-License-Identifier: Apache-2.0

// As a package of its own would have it: it needs the core alone, and knows no app.

import MillraceCore
import Synchronization

/// What the alarm says, in words of its own.
public enum QuietAction: Sendable, Equatable {
    /// So many actions came, and then none.
    case quiet(afterActions: Int)
}

/// Says so when no action has come for a while.
public final class QuietAlarm<Action>: MiddlewareProtocol {
    @usableFromInline let patience: Duration
    @usableFromInline let watch = Watch()

    /// An alarm that goes off after so long.
    public init(patience: Duration) {
        self.patience = patience
    }

    /// Counts the action; the first one starts the watch, and so does the first after it was cancelled.
    @inlinable
    public func handle(
        action: Action,
        from dispatcher: ActionSource,
        state: @escaping GetState<Void>
    ) -> IO<QuietAction> {
        guard watch.noteAction() else { return .pure() }  // as a rule there is nothing to do
        return IO { [patience, watch] output in watch.start(patience, output) }
    }

    /// Ends the watch, until the next action.
    public var effectCanceller: EffectCanceller {
        EffectCanceller { [weak watch] in watch?.cancel() }
    }

    deinit {
        watch.cancel()
    }
}

/// What goes on beside the pipeline: any thread.
@usableFromInline
final class Watch: Sendable {
    /// Since the watch was started; 0: there is none.
    @usableFromInline let actions = Atomic<Int>(0)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// Whether it is the first, so that a watch must be started.
    @inlinable
    func noteAction() -> Bool {
        actions.add(1, ordering: .relaxed).oldValue == 0
    }

    @usableFromInline
    func start(_ patience: Duration, _ output: AnyActionHandler<QuietAction>) {
        let watching = Task { [weak self] in
            var last = 0
            var told = 0
            while (try? await Task.sleep(for: patience)) != nil, let watch = self {
                let count = watch.actions.load(ordering: .relaxed)
                if count == last, count != told {
                    output.dispatch(.quiet(afterActions: count))
                    told = count
                }
                last = count
            }
        }
        task.withLock { task in
            task?.cancel()  // one that a cancellation came before
            task = watching
        }
    }

    /// As if it were new. Both in the lock: a watch that the next action starts is not the one that is cancelled.
    func cancel() {
        task.withLock { task in
            task?.cancel()
            task = nil
            actions.store(0, ordering: .relaxed)
        }
    }
}
