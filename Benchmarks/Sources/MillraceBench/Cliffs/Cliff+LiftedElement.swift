// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action for a dictionary element that itself holds this number of entries. The middleware of the
    /// element reads it in its IO.
    static var liftedElement: Cliff {
        Cliff(
            "liftToDictionary, a middleware reads its element, of so many entries",
            sizes: [10, 10_000, 1_000_000],
            rule: .flat(atMost: 3)
        ) { size in
            try run(elementReader, middlewares: 1, entries: size)
        }
    }

    /// The cost of an action, for each of this number of such middlewares.
    static var liftedMiddlewares: Cliff {
        Cliff(
            "the same, 10,000 entries, so many middlewares, for each",
            sizes: [1, 3, 8],
            rule: .flat(atMost: 1.5)
        ) { count in
            try run(elementReader, middlewares: count, entries: 10_000) / Double(count)
        }
    }

    private static func elementReader(_ sum: Counter) -> AnyMiddleware<Int, Int, Element> {
        AnyMiddleware { _, _, state in
            IO { _ in sum.count += state().entries.count }
        }
    }

    /// Returns the nanoseconds of an action.
    private static func run(
        _ part: (Counter) -> AnyMiddleware<Int, Int, Element>,
        middlewares: Int,
        entries size: Int
    ) throws -> Double {
        typealias Action = ElementIDAction<Int, Int>
        let sum = Counter()
        let reducer = Reducer<Int, Element>.reduce { action, element in element.entries[action] = action }
        var middleware = ComposedMiddleware<Action, Action, [Int: Element]>()
        for _ in 0..<middlewares {
            middleware.append(
                middleware: part(sum).liftToDictionary(
                    action: \Action.itself,
                    stateDictionary: \[Int: Element].self
                )
            )
        }
        // Made here, and used by the store alone.
        nonisolated(unsafe) let composed = middleware
        let store = ReduxStoreBase<Action, [Int: Element]>(
            initialState: [1: Element(entries: Array(repeating: 0, count: size))],
            reducer: reducer.liftToDictionary(action: \Action.itself, stateDictionary: \[Int: Element].self),
            middleware: composed,
            engine: .caller,
            publication: .onDemand
        )
        let actions = 1_000
        // The first action makes the array the store's own.
        store.dispatch(Action(id: 1, action: 0))
        let start = bench_now()
        for index in 0..<actions { store.dispatch(Action(id: 1, action: index % size)) }
        let time = bench_now() - start
        try expect(sum.count, size * (actions + 1) * middlewares, "entries read")
        return Double(time) / Double(actions)
    }

    private struct Element: Sendable {
        var entries: [Int]
    }
}

extension ElementIDAction {
    /// The action itself, for lifts that need a key path.
    fileprivate var itself: ElementIDAction? {
        get { self }
        set { if let newValue { self = newValue } }
    }
}
