// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// The chain of causes of an action, and the tree of all actions that the first cause has caused.
public struct Explanation: Sendable, Hashable {
    /// The action that was asked for.
    public let action: CauseRecord
    /// The causes of the action, from the first action of the chain to the parent of ``action``. Empty for an action
    /// from outside. If the chain is not complete, it begins with the oldest cause that is recorded.
    public let causes: [CauseRecord]
    /// Whether the chain begins with an action from outside. False if an older record was replaced, or if the recording
    /// began later.
    public let isComplete: Bool
    /// The tree of the recorded actions that the first action of the chain has caused. Its root is the first of
    /// ``causes``, or ``action`` if there are no causes.
    public let tree: CauseTree

    init?(of number: UInt64, shard: UInt16, in actions: [CauseRecord]) {
        struct Place: Hashable {
            let number: UInt64
            let shard: UInt16
        }
        var known: [Place: CauseRecord] = [:]
        var children: [Place: [CauseRecord]] = [:]
        for action in actions {
            known[Place(number: action.number, shard: action.shard)] = action
            if action.isFromOutside { continue }
            children[Place(number: action.cause.parent, shard: action.cause.parentShard), default: []].append(action)
        }
        guard let asked = known[Place(number: number, shard: shard)] else { return nil }
        var chain: [CauseRecord] = []
        var first = asked
        while !first.isFromOutside,
            let parent = known[Place(number: first.cause.parent, shard: first.cause.parentShard)]
        {
            chain.append(parent)
            first = parent
        }
        // Level by level from the leaves, not by recursion: a chain may be as long as the recording.
        var order = [first]
        var index = 0
        while index < order.count {
            order += children[Place(number: order[index].number, shard: order[index].shard)] ?? []
            index += 1
        }
        var trees: [Place: CauseTree] = [:]
        for node in order.reversed() {
            let place = Place(number: node.number, shard: node.shard)
            let parts = (children[place] ?? []).compactMap { trees[Place(number: $0.number, shard: $0.shard)] }
            trees[place] = CauseTree(action: node, children: parts)
        }
        action = asked
        causes = chain.reversed()
        isComplete = first.isFromOutside
        tree = trees[Place(number: first.number, shard: first.shard)] ?? CauseTree(action: first, children: [])
    }
}

extension Explanation: CustomStringConvertible {
    /// The tree, one action a line, with a mark at the action that was asked for.
    public var description: String {
        var lines: [String] = []
        if !isComplete, let first = causes.first ?? Optional(action) {
            let parent = CauseRecord.place(first.cause.parent, first.cause.parentShard)
            lines.append("… caused by \(parent), which is not recorded")
        }
        tree.forEach { action, prefix in
            lines.append("\(prefix)\(action)\(action == self.action ? "   ◀ asked for" : "")")
        }
        return lines.joined(separator: "\n")
    }
}
