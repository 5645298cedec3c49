// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime

/// A ``Publication`` with its interval in ticks.
@usableFromInline
enum Pacing: Sendable, Hashable {
    case everyAction
    case batch
    case atMost(ticks: UInt64)
    case onDemand

    @usableFromInline
    init(_ publication: Publication) {
        switch publication.kind {
        case .everyAction: self = .everyAction
        case .batch: self = .batch
        case .atMost(let interval): self = .atMost(ticks: Ticks.count(in: interval))
        case .onDemand: self = .onDemand
        }
    }
}
