// SPDX-License-Identifier: Apache-2.0

/// The same by hand: four numbers, a list of reducers, a list of middlewares, a queue. No lifts, no composition.
struct Reference {
    /// A leaf, and which numbers it sees.
    struct Seer {
        let leaf: Leaf
        let side: Half?
        let field: Half?

        var places: [Int] {
            (0..<4).filter { (side == nil || $0 / 2 == side?.rawValue) && (field == nil || $0 % 2 == field?.rawValue) }
        }
    }

    let reducers: [Seer]
    let middlewares: [Seer]
    private(set) var numbers = [0, 0, 0, 0]
    private(set) var log: [String] = []

    init(reducers: Tree, middlewares: Tree) {
        self.reducers = Self.seers(of: reducers)
        self.middlewares = Self.seers(of: middlewares)
    }

    private static func seers(of tree: Tree, _ side: Half? = nil, _ field: Half? = nil) -> [Seer] {
        switch tree {
        case .nothing: []
        case .leaf(let leaf): [Seer(leaf: leaf, side: side, field: field)]
        case .together(let parts, _): parts.flatMap { seers(of: $0, side, field) }
        case .lifted(let half, let inner, _):
            side == nil ? seers(of: inner, half, nil) : seers(of: inner, side, half)
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
                guard let shape = shape(of: action, for: seer) else { continue }
                record("handle", seer, strength, shape)
            }
            for seer in reducers {
                guard let shape = shape(of: action, for: seer) else { continue }
                var seen = seer.places.map { numbers[$0] }
                stir(&seen, id: seer.leaf.id, strength: strength, shape: shape)
                for (place, number) in zip(seer.places, seen) { numbers[place] = number }
            }
            for (stage, answer) in [("after", Leaf.Answer.afterReduce), ("work", .work)] {
                for seer in middlewares.reversed() where seer.leaf.answer == answer || seer.leaf.answer == .both {
                    guard let shape = shape(of: action, for: seer) else { continue }
                    record(stage, seer, strength, shape)
                    if let strength = echo(of: strength, id: seer.leaf.id) { queue.append(caused(strength, by: seer)) }
                }
            }
        }
    }

    private mutating func record(_ stage: String, _ seer: Seer, _ strength: Int, _ shape: Int) {
        log.append("\(stage) \(seer.leaf.id) \(strength) \(shape) \(seer.places.map { numbers[$0] })")
    }

    private func shape(of action: WorldAction, for seer: Seer) -> Int? {
        guard let side = seer.side else { return action.shape }
        guard let inPart = action.reaching(side) else { return nil }
        guard let field = seer.field else { return inPart.shape }
        return inPart.reaching(field)?.shape
    }

    private func caused(_ strength: Int, by seer: Seer) -> WorldAction {
        guard let side = seer.side else { return .echo(strength) }
        guard let field = seer.field else { return .part(side, .echo(strength)) }
        return .part(side, .number(field, .echo(strength)))
    }
}
