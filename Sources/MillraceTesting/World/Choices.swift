// SPDX-License-Identifier: Apache-2.0

/// Decides which candidate runs in a step. The candidate that ran last is the first in the list, if it can run. The
/// others follow, the one that has waited longest first. So choice 0 is the choice without a switch.
enum Choices {
    /// By random numbers, in one of several manners, because some defects show only with one of them.
    case random(RandomChoices)
    /// By a list; 0 after its end.
    case given([Int])

    static func random(seed: UInt64) -> Choices { .random(RandomChoices(seed)) }

    mutating func choose(_ step: Int, among candidates: [Candidate]) -> Int {
        switch self {
        case .random(var random):
            // Without this, the next line would copy the dictionary that `self` still holds.
            self = .given([])
            let choice = random.choose(among: candidates)
            self = .random(random)
            return choice
        case .given(let choices):
            return step < choices.count ? min(choices[step], candidates.count - 1) : 0
        }
    }
}

/// Choices by random numbers.
struct RandomChoices {
    private enum Manner {
        /// Each candidate with the same probability.
        case even
        /// The candidate that ran last goes on. On average, one step in this many chooses at random.
        case inRuns(Int)
        /// Each candidate has a random priority, and the highest one runs. On average once in this many steps, its
        /// priority becomes the lowest.
        case byPriority(Int)
    }

    private var numbers: SeededNumbers
    private let manner: Manner
    private var priorities: [UInt64: UInt64] = [:]
    private var lowest: UInt64 = 1 << 32

    init(_ seed: UInt64) {
        numbers = SeededNumbers(seed)
        manner =
            switch numbers.next(below: 8) {
            case 0...2: .even
            case 3: .inRuns(3)
            case 4: .inRuns(12)
            case 5: .byPriority(8)
            case 6: .byPriority(30)
            default: .byPriority(120)
            }
    }

    mutating func choose(among candidates: [Candidate]) -> Int {
        let count = candidates.count
        if count == 1 { return 0 }
        switch manner {
        case .even: return numbers.next(below: count)
        case .inRuns(let length): return numbers.next(below: length) == 0 ? numbers.next(below: count) : 0
        case .byPriority(let length):
            var best = 0
            var highest: UInt64 = 0
            for (index, candidate) in candidates.enumerated() {
                let priority = priority(of: candidate.key)
                if priority > highest { (best, highest) = (index, priority) }
            }
            if numbers.next(below: length) == 0 {
                lowest -= 1
                priorities[candidates[best].key] = lowest
            }
            return best
        }
    }

    private mutating func priority(of key: UInt64) -> UInt64 {
        if let known = priorities[key] { return known }
        let fresh = numbers.next() >> 1 | 1 << 40
        priorities[key] = fresh
        return fresh
    }
}
