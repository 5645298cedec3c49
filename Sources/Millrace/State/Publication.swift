// SPDX-License-Identifier: Apache-2.0

/// When a store shows its state to other threads and to its subscribers.
///
/// Reducers change one live state in place. Publishing makes a copy of it that others can read; the copy shares the
/// state's arrays and dictionaries, so the first change of each after a publication copies that one. The less often a
/// large state is published, the less is copied: changing a dictionary of 20,000 keys costs ten times as much when it
/// is published every 256 actions.
public struct Publication: Sendable, Hashable {
    @usableFromInline enum Kind: Sendable, Hashable {
        case everyAction
        case batch
        case atMost(every: Duration)
        case onDemand
    }

    @usableFromInline let kind: Kind

    /// After every action, before its IOs run: subscribers see each state. About half a microsecond an action.
    public static let everyAction = Publication(kind: .everyAction)

    /// After every batch, as many actions as were waiting, up to a few hundred.
    public static let batch = Publication(kind: .batch)

    /// Not more often than this, and once more when the store falls idle: the last state is always published. The
    /// default, with one millisecond.
    public static func atMost(every interval: Duration) -> Publication {
        Publication(kind: .atMost(every: interval))
    }

    /// When somebody reads: the read asks the pipeline and waits until all that was dispatched before it is reduced.
    /// A store nobody looks at never copies. Subscribers are told only then, too.
    ///
    /// A read on the thread of another store's pipeline, or inside `withState`, does not wait: it finds the state
    /// published last.
    public static let onDemand = Publication(kind: .onDemand)
}
