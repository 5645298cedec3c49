// SPDX-License-Identifier: Apache-2.0

import Millrace

/// How the stores of a run are made.
struct StoreSetup: Equatable, Sendable {
    static let maximumShards = 64
    /// What all shards together may hold when nothing else is asked for: so much that no producer waits for a store
    /// that keeps up, so little that memory does not depend on the length of the input.
    static let defaultCapacity = 1 << 18

    var engine = EngineChoice.thread
    /// How many stores share the events.
    var shards = 1
    /// Actions that may wait in each store; nil: its part of the default.
    var requestedCapacity: Int?
    var overflow = OverflowChoice.block

    /// Actions that may wait in each store.
    var capacity: Int { requestedCapacity ?? Self.defaultCapacity / shards }
}
