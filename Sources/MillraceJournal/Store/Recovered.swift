// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore

/// A state that was recovered from a journal, and the connection that the new store uses.
public struct RecoveredState<State>: @unchecked Sendable {
    // Unchecked because only one store takes the state out of it.
    @usableFromInline let state: State
    @usableFromInline let port: JournalPort
    let connect: @Sendable (JournalCalls) -> Void
    /// The world of the journal; nil for real threads and clocks.
    let world: (any StoreWorld)?
    /// Throws what prevented recorded actions from being handled again; nil if none are.
    let replayed: (@Sendable () throws(JournalError) -> Void)?

    init(
        state: State,
        port: JournalPort,
        world: (any StoreWorld)?,
        replayed: (@Sendable () throws(JournalError) -> Void)?,
        connect: @escaping @Sendable (JournalCalls) -> Void
    ) {
        self.state = state
        self.port = port
        self.world = world
        self.replayed = replayed
        self.connect = connect
    }
}
