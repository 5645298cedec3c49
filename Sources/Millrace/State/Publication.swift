// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Decides when a store publishes its state to other threads and to its subscribers.
///
/// Reducers change one live state in place. Publishing makes a copy that other threads can read. The copy shares the
/// arrays and dictionaries of the live state, so the first change of each one after a publication copies it. The less
/// often a large state is published, the less is copied: changing a dictionary of 20,000 keys costs ten times as much
/// when the state is published every 256 actions.
///
/// With ``StoreEngine/caller`` and without subscribers, a store with ``batch`` or ``atMost(every:)`` publishes when its
/// state is read.
public struct Publication: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case everyAction
        case batch
        case atMost(every: Duration)
        case onDemand
    }

    @usableFromInline let kind: Kind

    /// Publishes after every action, before its IOs run, so that subscribers see each state. Costs some 60 ns an action
    /// and some 30 for each subscriber, and each change of an array or a dictionary copies it whole: keep many elements
    /// in a persistent collection, such as `TreeDictionary` of swift-collections.
    public static let everyAction = Publication(kind: .everyAction)

    /// Publishes after every batch. A batch has as many actions as were waiting, up to a few hundred.
    public static let batch = Publication(kind: .batch)

    /// Publishes at most once in every interval, and once more when the store becomes idle, so that the last state is
    /// always published. The default, with an interval of one millisecond.
    public static func atMost(every interval: Duration) -> Publication {
        Publication(kind: .atMost(every: interval))
    }

    /// Publishes when a thread reads the state. The read asks the pipeline for a publication, and waits until all
    /// actions dispatched before the read are reduced. A store whose state is never read never copies it. Subscribers
    /// are called only at such publications.
    ///
    /// A read on the thread of another store's pipeline, or inside `withState`, does not wait: it gets the state that
    /// was published last.
    public static let onDemand = Publication(kind: .onDemand)
}

extension Publication: CustomStringConvertible {
    /// The publication, nearly as it is written in code: `.atMost(every: 1.00 ms)`.
    public var description: String {
        switch kind {
        case .everyAction: ".everyAction"
        case .batch: ".batch"
        case .atMost(let interval): ".atMost(every: \(Decimal.duration(interval)))"
        case .onDemand: ".onDemand"
        }
    }
}
