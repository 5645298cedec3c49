// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A ``Publication`` with its interval in ticks, or in the nanoseconds of a simulated world.
@usableFromInline
enum Pacing: Sendable, Hashable {
    case everyAction
    case batch
    case atMost(ticks: UInt64)
    case onDemand

    init(_ publication: Publication, in world: (any StoreWorld)?) {
        switch publication.kind {
        case .everyAction: self = .everyAction
        case .batch: self = .batch
        case .atMost(let interval): self = .atMost(ticks: StoreTime.count(in: interval, world))
        case .onDemand: self = .onDemand
        }
    }
}
