// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceGated
import TestSupport
import Testing

/// A state whose parts are found by id, by index, by key, or as one that may be missing.
private struct Node: Equatable, Identifiable, Sendable {
    var id = 1
    var value = 0
    /// One or none.
    var children: [Node] = []

    var table: [Int: Node] { Dictionary(uniqueKeysWithValues: children.map { ($0.id, $0) }) }
    var only: Node? { children.first }

    /// A node with so many levels below it.
    init(levels: Int) {
        if levels > 0 { children = [Node(levels: levels - 1)] }
    }
}

private enum Step: Equatable, Sendable {
    case touch
    /// Removes the element of a level; 1 is the outermost.
    case delete(level: Int)
    /// Puts in the element of a level, with all that is below.
    case create(level: Int)
    case bridged
    case worked
    case told
}

private indirect enum NodeAction: Equatable, Sendable {
    case here(Step)
    case child(NodeAction)

    /// A step for the element so many levels below.
    static func step(_ step: Step, below levels: Int) -> NodeAction {
        levels == 0 ? .here(step) : .child(.step(step, below: levels - 1))
    }

    var child: NodeAction? { if case .child(let action) = self { action } else { nil } }
    var byID: ElementIDAction<Int, NodeAction>? { child.map { ElementIDAction(id: 1, action: $0) } }
    var byIndex: ElementIndexAction<Int, NodeAction>? { child.map { ElementIndexAction(index: 0, action: $0) } }
    var step: Step {
        switch self {
        case .here(let step): step;
        case .child(let action): action.step
        }
    }
}

private func reducer(levels: Int) -> Reducer<NodeAction, Node> {
    @Sendable func change(_ node: inout Node, _ level: Int, _ body: (inout Node) -> Void) {
        if level == 0 { return body(&node) }
        if !node.children.isEmpty { change(&node.children[0], level - 1, body) }
    }
    return .reduce { action, root in
        switch action.step {
        case .touch: change(&root, levels) { $0.value += 1 }
        case .delete(let level): change(&root, level - 1) { $0.children = [] }
        case .create(let level): change(&root, level - 1) { $0.children = [Node(levels: levels - level)] }
        case .bridged, .worked, .told: break
        }
    }
}

/// Records its calls and dispatches, before and after the reducers.
private struct Probe: MiddlewareProtocol {
    let log: Recorder<String>

    func handle(action: NodeAction, from dispatcher: ActionSource, state: @escaping GetState<Node>) -> IO<NodeAction> {
        guard action.isInput else { return .pure() }
        log.record("handle \(state().value)")
        return IO { output in
            log.record("work \(state().value)")
            output.dispatch(.here(.worked))
        }
    }

    func afterReduce(
        action: NodeAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Node>,
        output: AnyActionHandler<NodeAction>
    ) {
        guard action.isInput else { return }
        log.record("after \(state().value)")
        output.dispatch(.here(.told))
    }
}

extension NodeAction {
    /// Not one that a middleware has dispatched.
    fileprivate var isInput: Bool {
        switch step {
        case .touch, .delete, .create: true
        case .bridged, .worked, .told: false
        }
    }
}

/// How an element is found.
private enum Way: CaseIterable, Sendable {
    case id, index, dictionary, optional
}

/// What stands between two lifts.
private enum Wrapper: CaseIterable, Sendable {
    case none, chain, composed, erased, named, gated, lifted
}

/// Does nothing; there so that a chain is one.
private struct Silent: MiddlewareProtocol {
    func handle(action: NodeAction, from dispatcher: ActionSource, state: @escaping GetState<Node>) -> IO<NodeAction> {
        .pure()
    }
}

@Suite("Conformance: element lifts in element lifts")
struct NestedElementLiftTests {
    private let log = Recorder<String>()

    /// Lifts in each of the ways, the innermost first, and does what `body` says with the result.
    private func lift(
        _ middleware: some MiddlewareProtocol<NodeAction, NodeAction, Node>,
        _ ways: ArraySlice<Way>,
        _ wrapper: Wrapper,
        _ vanished: VanishedElement,
        _ body: (AnyMiddleware<NodeAction, NodeAction, Node>) -> Void
    ) {
        switch wrapper {
        case .none: liftOnce(middleware, ways, wrapper, vanished, body)
        case .chain: liftOnce(Silent() <> middleware, ways, wrapper, vanished, body)
        case .composed:
            var composed = ComposedMiddleware<NodeAction, NodeAction, Node>()
            composed.append(middleware: Silent())
            composed.append(middleware: middleware)
            liftOnce(composed, ways, wrapper, vanished, body)
        case .erased: liftOnce(AnyMiddleware(middleware), ways, wrapper, vanished, body)
        case .named: liftOnce(middleware.named("nested"), ways, wrapper, vanished, body)
        case .gated: liftOnce(middleware.gated(by: Gate()), ways, wrapper, vanished, body)
        case .lifted: liftOnce(middleware.lift(state: { (node: Node) in node }), ways, wrapper, vanished, body)
        }
    }

    private func liftOnce(
        _ middleware: some MiddlewareProtocol<NodeAction, NodeAction, Node>,
        _ ways: ArraySlice<Way>,
        _ wrapper: Wrapper,
        _ vanished: VanishedElement,
        _ body: (AnyMiddleware<NodeAction, NodeAction, Node>) -> Void
    ) {
        guard let way = ways.first else { return body(middleware.eraseToAnyMiddleware()) }
        let rest = ways.dropFirst()
        switch way {
        case .id:
            let lifted = middleware.liftToCollection(
                inputAction: { (action: NodeAction) in action.byID },
                outputAction: { NodeAction.child($0.action) },
                state: { (node: Node) in node.children },
                vanished: vanished
            )
            lift(lifted, rest, wrapper, vanished, body)
        case .index:
            let lifted = middleware.liftToCollection(
                inputAction: { (action: NodeAction) in action.byIndex },
                outputAction: { NodeAction.child($0.action) },
                state: { (node: Node) in node.children },
                vanished: vanished
            )
            lift(lifted, rest, wrapper, vanished, body)
        case .dictionary:
            let lifted = middleware.liftToDictionary(
                inputAction: { (action: NodeAction) in action.byID },
                outputAction: { NodeAction.child($0.action) },
                state: { (node: Node) in node.table },
                vanished: vanished
            )
            lift(lifted, rest, wrapper, vanished, body)
        case .optional:
            let lifted = middleware.liftToOptional(
                inputAction: { (action: NodeAction) in action.child },
                outputAction: { NodeAction.child($0) },
                state: { (node: Node) in node.only },
                vanished: vanished
            )
            lift(lifted, rest, wrapper, vanished, body)
        }
    }

    private func check(_ ways: [Way], _ wrapper: Wrapper, _ vanished: VanishedElement) {
        let levels = ways.count
        let bridge = BridgeMiddleware<NodeAction, NodeAction, Node>()
            .bridge { action in action.isInput ? .here(.bridged) : nil }
        let place = "\(ways) \(wrapper) \(vanished)"
        lift(Probe(log: log) <> bridge, ways[...], wrapper, vanished) { lifted in
            let answers = Recorder<NodeAction>()
            let observer = AnyMiddleware<NodeAction, NodeAction, Node> { action, _, _ in
                if !action.isInput { answers.record(action) }
                return .pure()
            }
            // Unsafe: made here, and used by the store alone.
            nonisolated(unsafe) let middleware = observer <> lifted
            let store = ReduxStoreBase(
                initialState: Node(levels: levels),
                reducer: reducer(levels: levels),
                middleware: middleware,
                engine: .caller
            )
            func expect(_ step: Step, _ calls: [String], answered: Bool) {
                log.clear()
                answers.clear()
                store.dispatch(.step(step, below: levels))
                #expect(log.all == calls, "\(place) \(step)")
                let expected = answered ? [Step.bridged, .told, .worked] : []
                #expect(answers.all == expected.map { .step($0, below: levels) }, "\(place) \(step)")
            }
            expect(.touch, ["handle 0", "after 1", "work 1"], answered: true)
            for level in 1...levels {
                // Gone after the reducers: skipped; with a snapshot told, and the state is the one from before.
                let value = level == 1 ? 1 : 0
                if vanished == .snapshot {
                    expect(
                        .delete(level: level),
                        ["handle \(value)", "after \(value)", "work \(value)"],
                        answered: true
                    )
                } else {
                    expect(.delete(level: level), ["handle \(value)"], answered: false)
                }
                expect(.touch, [], answered: false)
                // Not there before the reducers: not told, and none of what an earlier action has left.
                expect(.create(level: level), [], answered: false)
            }
            expect(.touch, ["handle 0", "after 1", "work 1"], answered: true)
        }
    }

    @Test(
        "Element lifts of any depth: told after the reducers if, and only if, the element was there before them",
        arguments: [VanishedElement.skip, .snapshot]
    )
    func everyDepth(vanished: VanishedElement) {
        for wrapper in Wrapper.allCases {
            for outer in Way.allCases {
                check([outer], wrapper, vanished)
                for middle in Way.allCases {
                    check([outer, middle], wrapper, vanished)
                    for inner in Way.allCases { check([outer, middle, inner], wrapper, vanished) }
                }
            }
        }
    }

    @Test("An element lift that handles one element, then none, then another: nothing of the first is left")
    func nothingIsLeft() {
        var root = Node(levels: 2)
        root.children[0].value = 7
        lift(Probe(log: log), [.id, .dictionary], .none, .skip) { lifted in
            // Unsafe: as above.
            nonisolated(unsafe) let lifted = lifted
            let store = ReduxStoreBase(
                initialState: root,
                reducer: reducer(levels: 2),
                middleware: lifted,
                engine: .caller
            )
            store.dispatch(.step(.touch, below: 2))
            store.dispatch(.child(.here(.touch)))
            store.dispatch(.here(.touch))
            store.dispatch(.step(.touch, below: 3))
            #expect(log.all.filter { $0.hasPrefix("handle") } == ["handle 0", "handle 3"])
        }
    }
}
