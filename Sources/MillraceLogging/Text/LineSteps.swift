// SPDX-License-Identifier: Apache-2.0

/// The steps from one text to another, line by line. Each step takes a line of the old text, of the new text, or of
/// both. If lines replace others, the old ones come first.
///
/// Uses Myers' greedy algorithm. The time grows with the number of lines, in the worst case with the number of lines
/// times the number of changes. If there are more changes than a limit, all lines between the equal ends of the texts
/// are removed and inserted.
struct LineSteps {
    private static var mostChanges: Int { 1_000 }

    private(set) var all: [Difference<String>.Which] = []

    init<Line: Hashable>(_ old: [Line], _ new: [Line]) {
        var prefix = 0
        while prefix < min(old.count, new.count), old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < min(old.count, new.count) - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
            suffix += 1
        }
        all.reserveCapacity(max(old.count, new.count))
        all += repeatElement(.both, count: prefix)
        // Each line is hashed once, so that the search compares numbers.
        var numbers: [Line: Int32] = [:]
        func number(_ line: Line) -> Int32 {
            if let known = numbers[line] { return known }
            let next = Int32(truncatingIfNeeded: numbers.count)
            numbers[line] = next
            return next
        }
        addMiddle(old[prefix..<old.count - suffix].map(number), new[prefix..<new.count - suffix].map(number))
        all += repeatElement(.both, count: suffix)
    }

    private mutating func addMiddle(_ old: [Int32], _ new: [Int32]) {
        guard let (isRemoved, isInserted) = Self.changes(old, new) else {
            all += repeatElement(.first, count: old.count)
            all += repeatElement(.second, count: new.count)
            return
        }
        var (from, to) = (0, 0)
        while from < old.count || to < new.count {
            if from < old.count, isRemoved[from] {
                all.append(.first)
                from += 1
            } else if to < new.count, isInserted[to] {
                all.append(.second)
                to += 1
            } else {
                all.append(.both)
                (from, to) = (from + 1, to + 1)
            }
        }
    }

    /// Returns which lines are removed and inserted; nil if there are too many changes.
    private static func changes(_ old: [Int32], _ new: [Int32]) -> (isRemoved: [Bool], isInserted: [Bool])? {
        var isRemoved = [Bool](repeating: old.isEmpty || new.isEmpty, count: old.count)
        var isInserted = [Bool](repeating: old.isEmpty || new.isEmpty, count: new.count)
        if old.isEmpty || new.isEmpty { return (isRemoved, isInserted) }
        let most = min(mostChanges, old.count + new.count)
        // For each diagonal (old position minus new position), the old position that `round` changes reach.
        var reach = [Int32](repeating: 0, count: 2 * most + 3)
        let zero = most + 1
        // The values of `reach` before each round, from diagonal 1 - round to round - 1.
        var rounds: [[Int32]] = []
        for round in 0...most {
            rounds.append(Array(reach[(zero - max(0, round - 1))...(zero + max(0, round - 1))]))
            for diagonal in stride(from: -round, through: round, by: 2) {
                let isDown = goesDown(diagonal, round, reach, zero)
                var place = isDown ? Int(reach[zero + diagonal + 1]) : Int(reach[zero + diagonal - 1]) + 1
                while place < old.count, place - diagonal < new.count, old[place] == new[place - diagonal] {
                    place += 1
                }
                reach[zero + diagonal] = Int32(place)
                guard place >= old.count, place - diagonal >= new.count else { continue }
                // Follows the path back.
                var diagonal = diagonal
                for round in stride(from: round, to: 0, by: -1) {
                    let (reach, zero) = (rounds[round], round - 1)
                    let isDown = goesDown(diagonal, round, reach, zero)
                    diagonal += isDown ? 1 : -1
                    let place = Int(reach[zero + diagonal])
                    if isDown { isInserted[place - diagonal] = true } else { isRemoved[place] = true }
                }
                return (isRemoved, isInserted)
            }
        }
        return nil
    }

    private static func goesDown(_ diagonal: Int, _ round: Int, _ reach: [Int32], _ zero: Int) -> Bool {
        if diagonal == -round { return true }
        if diagonal == round { return false }
        return reach[zero + diagonal - 1] < reach[zero + diagonal + 1]
    }
}
