// SPDX-License-Identifier: Apache-2.0

/// An action and the recorded actions that it has caused, in their order.
public struct CauseTree: Sendable, Hashable {
    /// The action.
    public let action: CauseRecord
    /// What it has caused.
    public let children: [CauseTree]

    /// Calls `body` with each action, a parent before its children, and with the prefix that draws the branches in
    /// front of it.
    func forEach(_ body: (CauseRecord, String) -> Void) {
        // A list, not recursion: a chain may be as long as the recording.
        var left: [(tree: CauseTree, prefix: String, below: String)] = [(self, "", "")]
        while let (tree, prefix, below) = left.popLast() {
            body(tree.action, prefix)
            for (index, child) in tree.children.enumerated().reversed() {
                let isLast = index == tree.children.count - 1
                left.append((child, below + (isLast ? "└ " : "├ "), below + (isLast ? "  " : "│ ")))
            }
        }
    }
}
