// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Dispatch
import Millrace

/// The engines that `--engine` offers.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A thread of the store's own consumes.
    case thread
    /// A serial dispatch queue of the store's own consumes.
    case queue
    /// Whichever producer dispatches consumes.
    case caller
    /// The main queue consumes: the command's `async` main leaves it to Dispatch.
    case main

    /// A new engine for one store; a shard has a thread or queue to itself.
    func engine(shard: Int = 0) -> StoreEngine {
        let name = shard == 0 ? "millrace" : "millrace-\(shard)"
        return switch self {
        // Every core has a producer: a store that spun while it waits would take time from one of them.
        case .thread: .thread(name: name, wait: .park)
        case .queue: .queue(DispatchQueue(label: name))
        case .caller: .caller
        case .main: .main
        }
    }
}

extension LogFormat: ExpressibleByArgument {}
