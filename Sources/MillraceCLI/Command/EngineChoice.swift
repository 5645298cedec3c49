// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Millrace

/// The engines that `--engine` offers.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// The store's own thread consumes.
    case thread
    /// The store's own serial dispatch queue consumes.
    case queue
    /// The producer that dispatches consumes.
    case caller
    /// The main queue consumes. The command's `async` main leaves that queue to Dispatch.
    case main

    /// Returns a new engine for one store. Each shard has a thread or queue of its own.
    func engine(shard: Int = 0) -> StoreEngine {
        let name = shard == 0 ? "millrace" : "millrace-\(shard)"
        return switch self {
        // Parks, because every core has a producer: a store that spins would take time from one of them.
        case .thread: .thread(name: name, wait: .park)
        case .queue: .queue(DispatchQueue(label: name))
        case .caller: .caller
        case .main: .main
        }
    }
}
