// SPDX-License-Identifier: Apache-2.0

/// Decides whether a history is linearizable: whether there is an order of the operations that a specification allows, and
/// in which no operation comes before one that ended before it began.
///
/// The search is that of Wing and Gong: it takes any operation that may come next, and goes back where the specification
/// refuses. As Lowe proposed, it never looks twice at the same set of operations with the same state. A thread makes one
/// call at a time, so the set is one number a thread: how many parts of its operations have taken effect.
struct LinearizabilityChecker<Specification: SequentialSpecification> {
    enum Verdict: Equatable {
        case linearizable
        /// No order is allowed; the most parts of operations that an order could place.
        case notLinearizable(placed: Int)
        /// The search was given up.
        case tooLarge
    }

    typealias Entry = Operation<Specification.Call>

    private struct Node: Hashable {
        /// One byte a thread: how many parts have taken effect.
        var placed: UInt64
        var state: Specification.State
    }

    /// A part of a call, in the order of its thread.
    private struct Part {
        var operation: Entry
        var index: Int
    }

    let specification: Specification
    private let threads: [[Part]]
    private let limit: Int

    /// - Parameters:
    ///   - history: The operations, of at most eight threads with at most 255 parts each.
    ///   - limit: The most nodes to visit.
    init(_ specification: Specification, _ history: [Entry], limit: Int = 2_000_000) {
        self.specification = specification
        self.limit = limit
        let count = (history.map(\.thread).max() ?? -1) + 1
        precondition(count <= 8, "at most eight threads")
        threads = (0..<count).map { thread in
            let own = history.filter { $0.thread == thread }.sorted { $0.began < $1.began }
            for (earlier, later) in zip(own, own.dropFirst()) {
                precondition(earlier.ended < later.began, "a thread makes one call at a time")
            }
            return own.flatMap { operation in
                (0..<specification.parts(of: operation.call)).map { Part(operation: operation, index: $0) }
            }
        }
        precondition(threads.allSatisfy { $0.count < 256 }, "at most 255 parts a thread")
    }

    /// The verdict, and the number of nodes that were visited.
    func check() -> (verdict: Verdict, nodes: Int) {
        let total = threads.reduce(0) { $0 + $1.count }
        var most = 0
        var seen: Set<Node> = []
        var stack = [Node(placed: 0, state: specification.initial)]
        while let node = stack.popLast() {
            guard seen.insert(node).inserted else { continue }
            if seen.count > limit { return (.tooLarge, seen.count) }
            let placed = count(node.placed)
            most = max(most, placed)
            if placed == total, specification.isFinal(node.state) { return (.linearizable, seen.count) }
            specification.ownSteps(from: node.state) { stack.append(Node(placed: node.placed, state: $0)) }
            addOperations(after: node, to: &stack)
        }
        return (.notLinearizable(placed: most), seen.count)
    }

    private func addOperations(after node: Node, to stack: inout [Node]) {
        // An operation may come next if no other one that is not placed yet ended before it began. Of a thread, the next one
        // ends first.
        var earliestEnd = Int.max
        for thread in threads.indices {
            if let part = next(of: thread, node.placed) { earliestEnd = min(earliestEnd, part.operation.ended) }
        }
        for thread in threads.indices {
            guard let part = next(of: thread, node.placed), part.operation.began <= earliestEnd,
                let state = specification.apply(part.operation.call, part: part.index, thread: thread, to: node.state)
            else { continue }
            stack.append(Node(placed: node.placed + 1 << (8 * UInt64(thread)), state: state))
        }
    }

    private func next(of thread: Int, _ placed: UInt64) -> Part? {
        let index = Int(placed >> (8 * UInt64(thread)) & 255)
        return index < threads[thread].count ? threads[thread][index] : nil
    }

    private func count(_ placed: UInt64) -> Int {
        threads.indices.reduce(0) { $0 + Int(placed >> (8 * UInt64($1)) & 255) }
    }
}
