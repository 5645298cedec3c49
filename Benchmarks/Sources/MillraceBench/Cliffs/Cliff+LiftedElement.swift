// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace

extension Cliff {
    /// The cost of an action for a dictionary element that itself holds this number of entries. The middleware of the
    /// element reads it after the reducers.
    static var liftedElement: Cliff {
        Cliff(
            "liftToDictionary, a middleware reads its element, of so many entries",
            sizes: [10, 10_000, 100_000],
            rule: .documented("a lift copies the element that its middleware reads; read a part of it")
        ) { size in
            let sum = Counter()
            let part = AnyMiddleware<Int, Int, Element> { _, _, state in
                IO { _ in sum.count += state().entries.count }
            }
            let reducer = Reducer<Int, Element>.reduce { action, element in element.entries[action] = action }
            let store = ReduxStoreBase<ElementIDAction<Int, Int>, [Int: Element]>(
                initialState: [1: Element(entries: Array(repeating: 0, count: size))],
                reducer: reducer.liftToDictionary(
                    action: \ElementIDAction<Int, Int>.itself,
                    stateDictionary: \[Int: Element].self
                ),
                middleware: part.liftToDictionary(
                    action: \ElementIDAction<Int, Int>.itself,
                    stateDictionary: \[Int: Element].self
                ),
                engine: .caller,
                publication: .onDemand
            )
            let actions = 1_000
            let start = bench_now()
            for index in 0..<actions { store.dispatch(ElementIDAction(id: 1, action: index % size)) }
            let time = bench_now() - start
            try expect(sum.count, size * actions, "entries read")
            return Double(time) / Double(actions)
        }
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
