// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// How a tree of reducers or middlewares is put together, without saying what of.
indirect enum Tree {
    case nothing
    case leaf(Leaf)
    /// In order; the form tells which of the equivalent ways of the library to take.
    case together([Tree], form: Int)
    /// At work in a part of what the level above sees.
    case lifted(Place, Tree, form: Int)

    /// A tree that starts where so many levels are below.
    static func random(levels: Int, leaves: inout Int, using random: inout SplitMix64) -> Tree {
        let form = Int.random(in: 0..<12, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .nothing
        case 1...3:
            guard leaves > 0 else { return .nothing }
            var parts: [Tree] = []
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                parts.append(.random(levels: levels, leaves: &leaves, using: &random))
            }
            return .together(parts, form: form)
        case 4...5 where levels > 0:
            let half = Half.allCases.randomElement(using: &random) ?? .first
            return .lifted(.half(half), .random(levels: levels - 1, leaves: &leaves, using: &random), form: form)
        case 6 where levels == 2:
            return .lifted(.piece, .random(levels: levels - 1, leaves: &leaves, using: &random), form: form)
        default:
            guard leaves > 0 else { return .nothing }
            leaves -= 1
            return .leaf(Leaf(id: Int.random(in: 0..<50, using: &random), answer: .random(using: &random)))
        }
    }
}

/// What a lift leads to.
enum Place {
    case half(Half)
    /// The element of a collection that the action names; of the world only.
    case piece
}

/// One reducer or middleware.
struct Leaf {
    /// How a middleware takes its look at the state after the reducers.
    enum Answer: CaseIterable {
        case work, afterReduce, both

        static func random(using random: inout SplitMix64) -> Answer {
            allCases.randomElement(using: &random) ?? .work
        }
    }

    let id: Int
    let answer: Answer
}
