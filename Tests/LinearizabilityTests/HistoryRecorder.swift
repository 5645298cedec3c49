// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization
import TestSupport

/// Calls a store from several threads at once, by a seed, and records when each call began and ended.
struct HistoryRecorder {
    let options: StoreOptions
    var threads = 3
    var calls = 5

    /// A history, and the order in which the store has reduced all of its actions.
    struct Record {
        var history: StoreHistory
        var order: [UInt8]
    }

    private final class Clock: Sendable {
        // Sequentially consistent, so that a call that ended before another one began has the smaller number.
        let time = Atomic<Int>(0)
        let arrived = Atomic<Int>(0)

        func now() -> Int { time.add(1, ordering: .sequentiallyConsistent).newValue }
    }

    func record(seed: UInt64, on subject: any StoreSubject) -> Record {
        let plans = plan(seed)
        let clock = Clock()
        let results = Shared([StoreHistory](repeating: [], count: threads))
        onThreads(threads) { [threads] thread in
            var own: StoreHistory = []
            // The threads begin together. Acquiring and releasing: no call begins before the last thread is here.
            clock.arrived.add(1, ordering: .acquiringAndReleasing)
            while clock.arrived.load(ordering: .acquiring) < threads { sched_yield() }
            for planned in plans[thread] {
                let began = clock.now()
                let call = Self.make(planned, on: subject)
                own.append(Operation(thread: thread, call: call, began: began, ended: clock.now()))
            }
            results.update { $0[thread] = own }
        }
        // The second drain waits for children.
        subject.drain()
        subject.drain()
        return Record(history: results.value.flatMap(\.self), order: subject.read())
    }

    private static func make(_ call: StoreCall, on subject: any StoreSubject) -> StoreCall {
        switch call {
        case .dispatch(let number): subject.dispatch(.append(number))
        case .spawn(let number, let child): subject.dispatch(.spawn(number, child: child))
        case .urgent(let number): subject.dispatch(urgent: number)
        case .offer(let number, _): return .offer(number, isAccepted: subject.offer(number))
        case .emit(let number, let token): subject.emit(number, token: token)
        case .cancel(let token): subject.cancel(token: token)
        case .read: return .read(subject.read())
        case .drain: subject.drain()
        }
        return call
    }

    /// The calls of each thread. Their numbers are unique.
    private func plan(_ seed: UInt64) -> [[StoreCall]] {
        var random = SplitMix64(seed: seed)
        var last: UInt8 = 0
        func number() -> UInt8 {
            last += 1
            return last
        }
        return (0..<threads).map { _ in
            (0..<calls).map { _ in
                switch (Int.random(in: 0..<20, using: &random), options.places) {
                case (0..<8, nil), (0..<6, _): .dispatch(number())
                case (6..<12, _?) where options.blocks: .dispatch(number())
                case (12..<15, _?) where options.blocks: .drain
                case (6..<12, _?): .offer(number(), isAccepted: true)
                case (8..<10, nil): .urgent(number())
                case (10..<12, nil): .spawn(number(), child: number())
                case (12..<14, nil) where options.hasEffects:
                    .emit(number(), token: Int.random(in: 0...1, using: &random))
                case (14, nil) where options.hasEffects: .cancel(token: Int.random(in: 0...1, using: &random))
                case (15, nil): .drain
                default: .read([])
                }
            }
        }
    }
}

extension HistoryRecorder.Record {
    func check(_ traits: StoreTraits) -> LinearizabilityChecker<StoreSpecification>.Verdict {
        guard let specification = StoreSpecification(history, order: order, traits: traits) else {
            return .notLinearizable(placed: 0)
        }
        return LinearizabilityChecker(specification, history).check().verdict
    }
}

extension HistoryRecorder.Record: CustomStringConvertible {
    /// One line a call, by its beginning.
    var description: String {
        let lines = history.sorted { $0.began < $1.began }
            .map { "thread \($0.thread)  \($0.began)...\($0.ended)  \($0.call)" }
        return (lines + ["order: \(order)"]).joined(separator: "\n")
    }
}
