// SPDX-License-Identifier: Apache-2.0

/// Makes a failing list of actions shorter and simpler, and keeps each list that still fails.
struct ActionListShrinker<Action> {
    let simpler: (Action) -> [Action]
    /// Whether a list fails in the wanted way.
    let fails: ([Action]) -> Bool

    private static var mostRuns: Int { 2_000 }

    func shrink(_ actions: [Action]) -> [Action] {
        var best = actions
        var runs = 0
        func isBetter(_ list: [Action]) -> Bool {
            guard runs < Self.mostRuns else { return false }
            runs += 1
            guard fails(list) else { return false }
            best = list
            return true
        }
        var isShorter = true
        while isShorter {
            isShorter = false
            var length = best.count
            while length > 0 {
                var start = 0
                while start < best.count {
                    var without = best
                    without.removeSubrange(start..<min(start + length, best.count))
                    if isBetter(without) { isShorter = true } else { start += length }
                }
                length /= 2
            }
            for index in best.indices {
                while let next = simpler(best[index]).first(where: { isBetter(best.replacing(index, $0)) }) {
                    _ = next
                    isShorter = true
                }
            }
            if runs >= Self.mostRuns { break }
        }
        return best
    }
}

extension Array {
    fileprivate func replacing(_ index: Int, _ element: Element) -> [Element] {
        var copy = self
        copy[index] = element
        return copy
    }
}
