// SPDX-License-Identifier: Apache-2.0

import MillraceLogging
import Testing

@Suite("Logger: objects that are reached on several ways", .timeLimit(.minutes(5)))
struct SharedObjectTests {
    final class Node {
        let number: Int
        var left: Node?
        var right: Node?
        init(_ number: Int, _ left: Node? = nil, _ right: Node? = nil) {
            (self.number, self.left, self.right) = (number, left, right)
        }
    }

    /// Each refers twice to the next.
    private func chain(_ count: Int, last: Int = 0) -> Node {
        (1..<count).reduce(Node(last)) { next, number in Node(number, next, next) }
    }

    private func recursive<State>(_ before: State, _ after: State) -> [String] {
        LoggerMiddleware<Void, State>
            .recursiveDiff(prefixLines: "", stateName: "S", before: before, after: after)?
            .split(separator: "\n").map(String.init) ?? []
    }

    @Test("each object is dumped once, and referred to afterwards")
    func once() {
        let text = dumpToString(chain(17))
        #expect(text.utf8.count < 5_000)
        #expect(text.split(separator: "\n").count < 70)
        #expect(
            dumpToString(chain(2)) == """
                Node
                  number: 1
                  left: Node
                    number: 0
                    left: nil
                    right: nil
                  right: Node … as above
                """
        )
    }

    @Test("an object around itself is told as such")
    func circle() {
        let node = Node(1)
        node.left = node
        defer { node.left = nil }
        #expect(dumpToString(node) == "Node\n  number: 1\n  left: Node … as above\n  right: nil")
        #expect(dumpToString([node, node]).hasSuffix("[1]: Node … as above"))
    }

    @Test("a pair of objects is compared once, and its change told once")
    func compared() {
        let all = recursive(chain(17, last: 1), chain(17, last: 2))
        #expect(all.first?.hasSuffix(".number: 1 → 2") == true, "\(all)")
        #expect(all.count == 17, "\(all)")
        #expect(all.dropFirst().allSatisfy { $0.hasSuffix(": … changed as told above") }, "\(all)")
        #expect(recursive(chain(30), chain(30)).isEmpty)
    }

    @Test("values that hold each other twice are cut at a number of lines")
    func values() {
        indirect enum Tree { case leaf, node(Tree, Tree) }
        let tree = (0..<40).reduce(Tree.leaf) { tree, _ in .node(tree, tree) }
        let store = LoggerMiddleware<Void, Tree>.recursiveDiff(
            prefixLines: "",
            stateName: "S",
            before: tree,
            after: .leaf
        )
        #expect(store?.utf8.count ?? 0 < 20_000)
    }
}
