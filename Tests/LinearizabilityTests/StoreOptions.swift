// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import SchedulerTestSupport

/// A store, and the calls that are made to it.
struct StoreOptions: Sendable, CustomStringConvertible {
    var engine: StoreEngine
    var publication: Publication
    var order = ActionOrder.fifo
    /// Bounded stores that drop the newest actions have no drain and no read on demand in their histories: while these wait, they
    /// may occupy a place, which the documentation leaves open.
    var places: Int?
    /// Whether a bounded store lets a dispatch wait. A drain may make it wait longer, which no call shows, so these have drains.
    var blocks = false
    var hasEffects = true

    var capacity: StoreCapacity {
        places.map { .bounded($0, overflow: blocks ? .block : .dropNewest) } ?? .unbounded
    }

    var traits: StoreTraits {
        let pace: StoreTraits.Pace =
            switch publication {
            case .everyAction: .everyAction
            case .onDemand: .onDemand
            default: .atTimes
            }
        return StoreTraits(pace: pace, isInternalFirst: order == .internalFirst, capacity: places, blocks: blocks)
    }

    var description: String { "engine \(engine), \(publication), \(order), \(capacity)" }

    /// Every engine with every pace and order, and small bounded stores.
    static var all: [StoreOptions] {
        let engines: [StoreEngine] = [
            .thread(), .thread(wait: .park), .caller, .main, .queue(DispatchQueue(label: "serial")),
            .queue(DispatchQueue(label: "concurrent", attributes: .concurrent)), schedulerEngine(),
        ]
        let paces: [Publication] = [.everyAction, .batch, .atMost(every: .milliseconds(1)), .onDemand]
        return engines.flatMap { engine in
            paces.flatMap { pace in
                [ActionOrder.fifo, .internalFirst].map { StoreOptions(engine: engine, publication: pace, order: $0) }
            }
                + [(1, false), (3, false), (1, true), (3, true)].map { places, blocks in
                    StoreOptions(
                        engine: engine,
                        publication: .batch,
                        places: places,
                        blocks: blocks,
                        hasEffects: false
                    )
                }
        }
    }
}
