// SPDX-License-Identifier: Apache-2.0

/// Where a store puts the actions that its own pipeline dispatches.
///
/// An action is *internal* if it is dispatched on the thread that runs the store's pipeline, while the pipeline runs
/// there: by `handle`, by `afterReduce`, by an IO, by an effect that ends at once, or by a subscriber. An action that
/// an effect dispatches later, or that another shard dispatches, comes from outside.
///
/// The difference matters for rules. A guard such as "report a breach once" reads the state and dispatches a report.
/// With ``fifo``, the store first reduces all actions that already wait, which may be thousands. Each of them finds a
/// state without the first report, and the guard reports again. With ``internalFirst`` the report is reduced next.
public enum ActionOrder: String, Sendable, Hashable, Codable, CaseIterable {
    /// All actions wait in one queue: first in, first out, whoever dispatched them. The default.
    case fifo

    /// Internal actions are handled before the next action from outside. They are handled first in, first out: if A
    /// dispatches B and C, and B dispatches D, the order is A, B, C, D.
    ///
    /// They never wait for room, whatever the capacity. ``StoreMetrics/pending`` includes them. They take no slot of
    /// the shared queue: the store keeps them in memory that only the consumer uses. A chain of a million internal
    /// actions does not grow the stack.
    ///
    /// While a chain goes on, all actions from outside wait. The pipeline still handles urgent actions, and still stops
    /// at the deadline of a shutdown. With ``StoreEngine/caller`` the dispatch that began an endless chain does not
    /// return. With ``StoreEngine/main`` no dispatch on the main queue returns while the chain goes on.
    ///
    /// A message (such as a `drain`) at the head of the queue waits until no internal action is left, or until 4,096
    /// urgent and internal actions in a row were handled. So when ``ReduxStoreBase/drain()`` returns, the internal
    /// actions that the drained actions have caused are finished, too, unless there were more than 4,096 in a row. A
    /// message behind an action from outside waits for that action, and so for the end of the chain.
    case internalFirst
}

extension ActionOrder: CustomStringConvertible {
    /// The case, as it is written in code: `.internalFirst`.
    public var description: String { ".\(rawValue)" }
}
