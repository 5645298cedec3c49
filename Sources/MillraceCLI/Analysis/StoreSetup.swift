// SPDX-License-Identifier: Apache-2.0

import Millrace

/// The settings of the stores of a run.
struct StoreSetup: Equatable, Sendable {
    static let maximumShards = 64
    /// The default capacity of all shards together. It is so large that no producer waits for a store that keeps up,
    /// and so small that memory does not depend on the length of the input.
    static let defaultCapacity = 1 << 18

    var engine = EngineChoice.thread
    /// The number of stores that share the events.
    var shards = 1
    /// The requested number of actions that may wait in each store; nil: its part of the default.
    var requestedCapacity: Int?
    var overflow = OverflowChoice.block

    /// The number of actions that may wait in each store.
    var capacity: Int { requestedCapacity ?? Self.defaultCapacity / shards }
}
