// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Millrace

/// The choices of `--overflow`: what the dispatch of an event to a full store does.
enum OverflowChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case block
    case dropNewest = "drop-newest"
    case dropOldest = "drop-oldest"

    var policy: OverflowPolicy {
        switch self {
        case .block: .block
        case .dropNewest: .dropNewest
        case .dropOldest: .dropOldest
        }
    }

    /// Whether a full store drops events. Otherwise the producer waits for room.
    var isLossy: Bool { self != .block }
}
