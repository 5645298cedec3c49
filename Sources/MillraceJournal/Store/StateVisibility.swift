// SPDX-License-Identifier: Apache-2.0

public import Millrace

/// When readers and subscribers of a store may see the state after an action.
public enum StateVisibility: Hashable, Sendable {
    /// When the store publishes it, as without a journal. After a crash a reader may have seen a state whose last
    /// actions are lost.
    case immediate
    /// When its actions are durable. The store publishes the newest durable state that it has kept: it keeps one copy
    /// at a time, which shares the collections of the live state. Reads on demand, `drain()` and subscribers wait for
    /// the journal. Not with `Publication.everyAction`.
    case durable
}

extension StateVisibility {
    @usableFromInline
    func check(_ publication: Publication) throws(JournalError) {
        guard self == .durable, publication == .everyAction else { return }
        throw .unsupported(
            reason: """
                With 'visibility: .durable' the store cannot publish after every action, because it would wait for the \
                disk each time. Give it another 'publication', such as '.batch'.
                """
        )
    }
}
