// SPDX-License-Identifier: Apache-2.0

import Millrace

/// An action for a number in the state, or for an element.
enum PartAction: Sendable {
    case number(Int)
    case element(ElementIDAction<Int, Int>)

    var number: Int? {
        if case .number(let number) = self { number } else { nil }
    }

    var element: ElementIDAction<Int, Int>? {
        if case .element(let action) = self { action } else { nil }
    }
}

/// A state with a part of each kind that a middleware can be lifted to.
struct PartState: Countable {
    var count = 0
    var elements = KeyedArray((0..<100).map { PartElement(id: $0) })
    var values = Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, PartElement(id: $0)) })
    var optional: PartElement? = PartElement(id: 0)

    /// Returns a store of such a state that counts its actions.
    static func store(
        _ middleware: sending some MiddlewareProtocol<PartAction, PartAction, PartState>
    ) -> ReduxStoreBase<PartAction, PartState> {
        ReduxStoreBase(
            initialState: PartState(),
            reducer: .reduce { _, state in state.count &+= 1 },
            middleware: middleware,
            engine: .caller,
            publication: .onDemand
        )
    }
}

/// An element with a container, whose copy is a retained reference.
struct PartElement: Countable, Identifiable {
    let id: Int
    var numbers = [1, 2, 3]

    var count: Int { numbers.count }
}

/// What the middlewares of the counts read in their state.
protocol Countable: Sendable {
    var count: Int { get }
}

extension Int: Countable {
    var count: Int { self }
}
