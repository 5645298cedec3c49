// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Millrace
import SchedulerTestSupport
import TestSupport

/// One load: many producers, one store, and what must be true at the end.
struct Load: CustomStringConvertible {
    static let producers = 16

    struct Numbered: Sendable {
        var producer: Int32
        var number: Int32
    }

    /// What the reducer has seen.
    struct Seen: Sendable {
        var last = [Int32](repeating: -1, count: Load.producers)
        var counts = [Int](repeating: 0, count: Load.producers)
        var checksum: UInt64 = 0
        var disorder: String?
    }

    let engine: StoreEngine
    let capacity: StoreCapacity
    let publication: Publication
    let order: ActionOrder
    let mayDrop: Bool

    /// Every engine with every policy; the number of a round chooses.
    static func of(round: Int) -> Load {
        let engines: [StoreEngine] = [
            .thread(latency: .throughput), .thread(latency: .balanced), .thread(latency: .lowLatency),
            .thread(wait: .busySpin), .caller, .main, .queue(DispatchQueue(label: "serial")),
            .queue(DispatchQueue(label: "concurrent", attributes: .concurrent)), schedulerEngine(),
        ]
        let policies: [(StoreCapacity, mayDrop: Bool)] = [
            (.unbounded, false), (.bounded(1_000, overflow: .block), false), (.bounded(16, overflow: .block), false),
            (.bounded(1_000, overflow: .dropNewest), true), (.bounded(1_000, overflow: .dropOldest), true),
        ]
        let paces: [Publication] = [.atMost(every: .milliseconds(1)), .batch, .onDemand, .everyAction]
        let policy = policies[round / engines.count % policies.count]
        return Load(
            engine: engines[round % engines.count],
            capacity: policy.0,
            publication: paces[round % paces.count],
            order: (round / paces.count).isMultiple(of: 2) ? .fifo : .internalFirst,
            mayDrop: policy.mayDrop
        )
    }

    var description: String { "engine \(engine), \(capacity), \(publication), \(order)" }

    private static func checksum(_ producer: Int32, _ number: Int32) -> UInt64 {
        var value = UInt64(UInt32(bitPattern: producer)) << 32 | UInt64(UInt32(bitPattern: number))
        value = (value ^ (value >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return value ^ (value >> 29)
    }

    private static let reducer = Reducer<Numbered, Seen>.reduce { action, seen in
        let producer = Int(action.producer)
        if action.number <= seen.last[producer] {
            seen.disorder = "producer \(producer): \(action.number) after \(seen.last[producer])"
        }
        seen.last[producer] = action.number
        seen.counts[producer] += 1
        seen.checksum &+= checksum(action.producer, action.number)
    }

    /// Runs the load. Returns what is wrong; nil if nothing is.
    func run(each: Int32) async -> String? {
        let store = ReduxStoreBase(
            initialState: Seen(),
            reducer: Self.reducer,
            engine: engine,
            publication: publication,
            capacity: capacity,
            order: order
        )
        await elsewhere {
            onThreads(Self.producers) { producer in
                for number in 0..<each {
                    store.dispatch(Numbered(producer: Int32(producer), number: number))
                }
            }
        }
        await store.drain()
        let (seen, metrics) = (store.state, store.metrics)
        let report = await store.shutdown(deadline: .seconds(60))
        return problem(seen, metrics, Int(each))
            ?? (report.isComplete ? nil : "the shutdown is not complete: \(report)")
    }

    private func problem(_ seen: Seen, _ metrics: StoreMetrics, _ each: Int) -> String? {
        if let disorder = seen.disorder { return disorder }
        let total = UInt64(Self.producers * each)
        let reduced = UInt64(seen.counts.reduce(0, +))
        if metrics.offered != total { return "\(metrics.offered) offered, \(total) dispatched" }
        if metrics.reduced != reduced { return "\(metrics.reduced) reduced by the metrics, \(reduced) by the state" }
        if metrics.reduced + metrics.dropped != total { return "the counters do not add up: \(metrics)" }
        if metrics.pending != 0 || metrics.rejected != 0 || metrics.cancelled != 0 { return "left over: \(metrics)" }
        if mayDrop { return nil }
        var expected: UInt64 = 0
        for producer in 0..<Int32(Self.producers) {
            for number in 0..<Int32(each) { expected &+= Self.checksum(producer, number) }
        }
        if reduced != total { return "\(total - reduced) actions are missing" }
        return seen.checksum == expected ? nil : "another checksum"
    }
}
