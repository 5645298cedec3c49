// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The same by hand: eight numbers, a list of reducers, a list of middlewares, a queue. No lifts, no composition.
struct Reference {
    /// A leaf, and which numbers it sees.
    struct Seer {
        let leaf: Leaf
        let side: Place?
        let field: Half?

        /// The places of the numbers it sees at an action; nil: it does not see the action.
        func places(at action: WorldAction) -> [Int]? {
            let pair: Int
            switch side {
            case nil:
                return Array(0..<8)
            case .half(let half):
                pair = half.rawValue
            case .piece:
                guard let id = action.piece?.id, let index = World.ids.firstIndex(of: id) else { return nil }
                pair = 2 + index
            }
            return [2 * pair, 2 * pair + 1].filter { field == nil || $0 % 2 == field?.rawValue }
        }
    }

    let reducers: [Seer]
    let middlewares: [Seer]
    private(set) var numbers = [Int](repeating: 0, count: 8)
    private(set) var log: [String] = []

    init(reducers: Tree, middlewares: Tree) {
        self.reducers = Self.seers(of: reducers)
        self.middlewares = Self.seers(of: middlewares)
    }

    private static func seers(of tree: Tree, _ side: Place? = nil, _ field: Half? = nil) -> [Seer] {
        switch tree {
        case .nothing: []
        case .leaf(let leaf): [Seer(leaf: leaf, side: side, field: field)]
        case .together(let parts, _): parts.flatMap { seers(of: $0, side, field) }
        case .lifted(let place, let inner, _):
            if side == nil {
                seers(of: inner, place, nil)
            } else if case .half(let half) = place {
                seers(of: inner, side, half)
            } else {
                []
            }
        }
    }

    mutating func run(_ actions: [WorldAction]) {
        var queue = actions
        var next = 0
        while next < queue.count {
            let action = queue[next]
            next += 1
            let strength = action.strength
            for seer in middlewares {
                guard let (shape, places) = sight(of: action, for: seer) else { continue }
                record("handle", seer, strength, shape, places)
            }
            for seer in reducers {
                guard let (shape, places) = sight(of: action, for: seer) else { continue }
                var seen = places.map { numbers[$0] }
                stir(&seen, id: seer.leaf.id, strength: strength, shape: shape)
                for (place, number) in zip(places, seen) { numbers[place] = number }
            }
            for (stage, answer) in [("after", Leaf.Answer.afterReduce), ("work", .work)] {
                for seer in middlewares.reversed() where seer.leaf.answer == answer || seer.leaf.answer == .both {
                    guard let (shape, places) = sight(of: action, for: seer) else { continue }
                    record(stage, seer, strength, shape, places)
                    if let strength = echo(of: strength, id: seer.leaf.id) {
                        queue.append(caused(strength, by: seer, at: action))
                    }
                }
            }
        }
    }

    private mutating func record(_ stage: String, _ seer: Seer, _ strength: Int, _ shape: Int, _ places: [Int]) {
        log.append("\(stage) \(seer.leaf.id) \(strength) \(shape) \(places.map { numbers[$0] })")
    }

    private func sight(of action: WorldAction, for seer: Seer) -> (shape: Int, places: [Int])? {
        guard let places = seer.places(at: action) else { return nil }
        let inPart: PartAction?
        switch seer.side {
        case nil: return (action.shape, places)
        case .half(let half): inPart = action.reaching(half)
        case .piece: inPart = action.piece?.action
        }
        guard let inPart else { return nil }
        guard let field = seer.field else { return (inPart.shape, places) }
        return inPart.reaching(field).map { ($0.shape, places) }
    }

    private func caused(_ strength: Int, by seer: Seer, at action: WorldAction) -> WorldAction {
        let inPart: PartAction = seer.field.map { .number($0, .echo(strength)) } ?? .echo(strength)
        switch seer.side {
        case nil: return .echo(strength)
        case .half(let half): return .part(half, inPart)
        case .piece: return .piece(ElementIDAction(id: action.piece?.id ?? 0, action: inPart))
        }
    }
}
