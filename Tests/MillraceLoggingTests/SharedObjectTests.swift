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
            .recursiveDiff(prefixLines: "", stateName: "S", spelling: .indexed, before: before, after: after)?
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
            spelling: .indexed,
            before: tree,
            after: .leaf
        )
        #expect(store?.utf8.count ?? 0 < 20_000)
    }

    // MARK: Objects in sets, and as keys

    final class Peer: Hashable {
        let number: Int
        var peers: Set<Peer> = []
        var weights: [Peer: Int] = [:]
        init(_ number: Int) { self.number = number }
        static func == (left: Peer, right: Peer) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    struct Network {
        var peers: Set<Peer> = []
    }

    @Test("objects that hold each other in sets are told once each")
    func circleOfMembers() {
        let (first, second) = (Peer(1), Peer(2))
        (first.peers, second.peers) = ([second], [first])
        defer { first.peers = [] }
        #expect(
            dumpToString(first) == """
                Peer
                  number: 1
                  peers: 1 members
                    Peer(number: 2, peers: 1 members, Peer … as above, weights: 0 pairs)
                  weights: 0 pairs
                """
        )
        let member =
            "Peer(number: 1, peers: 1 members, Peer(number: 2, peers: 1 members, Peer … as above, "
            + "weights: 0 pairs), weights: 0 pairs)"
        #expect(recursive(Network(), Network(peers: [first])) == ["S.peers: ∅ → " + member])
    }

    @Test("objects that hold each other as keys are told once each")
    func circleOfKeys() {
        let (first, second) = (Peer(1), Peer(2))
        (first.weights, second.weights) = ([second: 7], [first: 8])
        defer { first.weights = [:] }
        let key = "Peer(number: 2, peers: 0 members, weights: 1 pairs, Peer … as above: 8)"
        #expect(dumpToString(first).split(separator: "\n").last?.drop { $0 == " " } == "\(key): 7")
        #expect(recursive([Peer: Int](), [first: 1]).count == 1)
    }

    @Test("a key is told in full, though the same object was told before")
    func toldBefore() {
        struct Graph { var peers: [Peer], weights: [Peer: Int] }
        let peers = [Peer(1), Peer(2)]
        let text = dumpToString(Graph(peers: peers, weights: [peers[0]: 3, peers[1]: 4]))
        #expect(text.contains("Peer(number: 1, peers: 0 members, weights: 0 pairs): 3"), "\(text)")
        #expect(text.contains("Peer(number: 2, peers: 0 members, weights: 0 pairs): 4"), "\(text)")
    }

    /// Each of a level holds both of the level below. With a number of levels, there are two to that power of ways.
    private func levels(_ count: Int, asKeys: Bool = false) -> (top: Peer, all: [Peer]) {
        var all = [Peer(0), Peer(1)]
        for _ in 0..<count {
            let (below, level) = (all.suffix(2), [Peer(0), Peer(1)])
            for peer in level {
                if asKeys {
                    peer.weights = Dictionary(uniqueKeysWithValues: below.map { ($0, 1) })
                } else {
                    peer.peers = Set(below)
                }
            }
            all += level
        }
        return (all[all.count - 1], all)
    }

    @Test("the cost of members does not grow with the ways to them", arguments: [true, false])
    func waysToMembers(asKeys: Bool) {
        let peers = levels(60, asKeys: asKeys)
        let text = dumpToString(peers.top)
        #expect(text.utf8.count < 20_000)
        #expect(text.contains("more than 64 parts"), "\(text)")
        let lines = recursive(Network(), Network(peers: [peers.top]))
        #expect(lines.count == 1 && lines[0].utf8.count < 20_000, "\(lines)")
    }

    @Test("members that are cut have the same text, however they lie")
    func cutMembers() {
        // 2 and 3 levels are told in full, and so are 2 levels beside each other, but not all of them together.
        func make() -> Peer {
            let top = Peer(9)
            top.peers = Set((0..<6).map { _ in levels(2).top })
            let outer = Peer(8)
            outer.peers = [top]
            return outer
        }
        let first = dumpToString(make())
        for _ in 0..<20 { #expect(dumpToString(make()) == first) }
        #expect(first.contains("Peer(number: 9, peers: 6 members …, … more than 64 parts)"), "\(first)")
    }

    @Test("members within members are cut at the depth of all else")
    func deepMembers() {
        var peers = [Peer(0)]
        for number in 1..<10_000 {
            let peer = Peer(number)
            peer.peers = [peers[number - 1]]
            peers.append(peer)
        }
        #expect(dumpToString(peers[9_999]).utf8.count < 20_000)
        #expect(recursive(Network(), Network(peers: [peers[9_999]])).count == 1)
        // From the innermost on, so that their ends do not call each other.
        for peer in peers { peer.peers = [] }
    }
}
