// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Millrace

/// The engines that `--engine` offers.
enum EngineChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// A thread of the store's own consumes.
    case thread
    /// Whichever producer dispatches consumes.
    case caller

    var engine: StoreEngine {
        switch self {
        // Every core has a producer: a store that spun while it waits would take time from one of them.
        case .thread: .thread(name: "millrace", wait: .park)
        case .caller: .caller
        }
    }
}

extension LogFormat: ExpressibleByArgument {}
