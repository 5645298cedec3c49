// SPDX-License-Identifier: Apache-2.0

/// A subscriber that counts the states that it gets.
final class StateObserver: @unchecked Sendable {
    // Unchecked because it is called on the main queue only, and read when that queue is empty.
    private(set) var calls = 0
    private var last = 0

    func take(_ state: AppState) {
        calls += 1
        last = state.count
    }

    func check(_ expected: Int, of contender: String) throws(BenchmarkError) {
        guard calls == expected else {
            throw .wrongResult(contender: contender, expected: "\(expected) calls", found: "\(calls) calls")
        }
    }
}
