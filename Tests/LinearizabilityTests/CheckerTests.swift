// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// The checker on a FIFO queue of numbers.
@Suite("Linearizability checker")
struct CheckerTests {
    enum Call: Sendable, Equatable {
        case put(Int)
        case take(Int?)
    }

    struct Queue: SequentialSpecification {
        let initial: [Int] = []

        func parts(of call: Call) -> Int { 1 }
        func ownSteps(from state: [Int], _ body: ([Int]) -> Void) {}
        func isFinal(_ state: [Int]) -> Bool { true }

        func apply(_ call: Call, part: Int, thread: Int, to state: [Int]) -> [Int]? {
            switch call {
            case .put(let number): state + [number]
            case .take(let number): state.first == number ? Array(state.dropFirst()) : nil
            }
        }
    }

    typealias History = [Operation<Call>]

    private func verdict(_ history: History) -> LinearizabilityChecker<Queue>.Verdict {
        LinearizabilityChecker(Queue(), history).check().verdict
    }

    private func call(_ thread: Int, _ times: ClosedRange<Int>, _ call: Call) -> Operation<Call> {
        Operation(thread: thread, call: call, began: times.lowerBound, ended: times.upperBound)
    }

    @Test("a take before a put that it overlaps")
    func overlapping() {
        #expect(verdict([call(0, 1...4, .put(7)), call(1, 2...3, .take(7))]) == .linearizable)
        #expect(verdict([call(0, 1...4, .put(7)), call(1, 2...3, .take(nil))]) == .linearizable)
    }

    @Test("a take that ended before the put began")
    func fromTheFuture() {
        #expect(verdict([call(0, 3...4, .put(7)), call(1, 1...2, .take(7))]) == .notLinearizable(placed: 0))
    }

    @Test("a number that is taken twice, and one that is lost")
    func twice() {
        let put = call(0, 1...2, .put(7))
        #expect(verdict([put, call(1, 3...4, .take(7)), call(2, 3...4, .take(7))]) == .notLinearizable(placed: 2))
        #expect(verdict([put, call(1, 3...4, .take(nil))]) == .notLinearizable(placed: 1))
    }

    @Test("two puts at once are taken in either order, but not in both")
    func eitherOrder() {
        let puts = [call(0, 1...10, .put(1)), call(1, 1...10, .put(2))]
        #expect(verdict(puts + [call(2, 11...12, .take(2)), call(2, 13...14, .take(1))]) == .linearizable)
        // Each take alone is allowed. Together they need 1 before 2, and 2 before 1.
        let third = [call(2, 2...3, .take(2)), call(2, 4...5, .take(1))]
        #expect(verdict(puts + third) == .linearizable)
        #expect(verdict([call(0, 1...2, .put(1)), call(1, 3...10, .put(2))] + third) == .notLinearizable(placed: 2))
    }

    @Test("a limit of nodes")
    func limit() {
        let history = (0..<6).map { call($0, 1...10, .put($0)) } + [call(6, 11...12, .take(9))]
        #expect(LinearizabilityChecker(Queue(), history, limit: 50).check().verdict == .tooLarge)
    }

    /// Tries all permutations, without any of the checker's ideas.
    private func isLinearizableByForce(_ history: History) -> Bool {
        func search(_ placed: [Operation<Call>], _ rest: [Operation<Call>]) -> Bool {
            if rest.isEmpty {
                for (index, later) in placed.enumerated()
                where placed[..<index].contains(where: { later.ended < $0.began }) {
                    return false
                }
                var state: [Int]? = []
                for operation in placed {
                    state = state.flatMap { Queue().apply(operation.call, part: 0, thread: 0, to: $0) }
                }
                return state != nil
            }
            return rest.indices.contains { index in
                var remaining = rest
                let chosen = remaining.remove(at: index)
                return search(placed + [chosen], remaining)
            }
        }
        return search([], history)
    }

    @Test("the same verdicts as from trying all permutations")
    func againstForce() {
        var counts = [true: 0, false: 0]
        for seed in 1...(isSanitized ? 60 : 400) as ClosedRange<UInt64> {
            var random = SplitMix64(seed: seed)
            var history: History = []
            for thread in 0..<3 {
                var time = 0
                for number in 0..<2 {
                    let began = time + Int.random(in: 1...6, using: &random)
                    time = began + Int.random(in: 1...8, using: &random)
                    // Times of two threads never are the same.
                    let kind: Call =
                        switch Int.random(in: 0...2, using: &random) {
                        case 0: .take(Bool.random(using: &random) ? nil : Int.random(in: 0..<6, using: &random))
                        default: .put(thread * 2 + number)
                        }
                    history.append(call(thread, began * 3 + thread...time * 3 + thread, kind))
                }
            }
            let expected = isLinearizableByForce(history)
            #expect((verdict(history) == .linearizable) == expected, "seed \(seed): \(history)")
            counts[expected]! += 1
        }
        #expect(counts.values.allSatisfy { $0 > 10 }, "\(counts)")
    }
}
