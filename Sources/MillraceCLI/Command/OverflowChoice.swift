// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Millrace

/// The policies that `--overflow` offers for events that find their store full.
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

    /// Whether events may be dropped or rejected.
    var isLossy: Bool { self != .block }
}
