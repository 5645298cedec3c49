// SPDX-License-Identifier: Apache-2.0

// The code of the article "Writing a middleware", block by block (scripts/readme-check.sh compares them).
//
//     swift run --package-path Examples WritingAMiddleware

import Millrace

enum SaleAction: Sendable {
    case sold(cents: Int), large(cents: Int), goal(cents: Int)
}

struct Shop: Sendable {
    var cents = 0
    var limit = 10_000
    var large = 0
    var goals: [Int] = []
}

let reducer = Reducer<SaleAction, Shop>.reduce { action, shop in
    switch action {
    case .sold(let cents): shop.cents += cents
    case .large: shop.large += 1
    case .goal(let cents): shop.goals.append(cents)
    }
}

final class Goals: MiddlewareProtocol {
    private let step: Int
    private var next: Int  // kept from action to action

    init(step: Int) {
        self.step = step
        next = step
    }

    func handle(
        action: SaleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Shop>
    ) -> IO<SaleAction> {
        .pure()
    }

    func afterReduce(
        action: SaleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Shop>,
        output: AnyActionHandler<SaleAction>
    ) {
        guard case .sold = action else { return }
        let cents = state().cents  // this sale included
        if cents >= next {
            output.dispatch(.goal(cents: cents), from: dispatcher)
            next = (cents / step + 1) * step
        }
    }
}

struct LargeSales: MiddlewareProtocol {
    private var reader: StateReader<Shop>?

    mutating func bind(_ binding: MiddlewareBinding<SaleAction, Shop>) { reader = binding.state }

    func handle(
        action: SaleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Shop>
    ) -> IO<SaleAction> {
        guard case .sold(let cents) = action, cents >= 5_000 else { return .pure() }  // no allocation
        return IO { [reader] output in
            guard let limit = reader?.withState({ $0.limit }), cents >= limit else { return }
            output.dispatch(.large(cents: cents), from: dispatcher)
        }
    }
}

func run(_ middleware: sending some MiddlewareProtocol<SaleAction, SaleAction, Shop>) async -> Shop {
    let store = ReduxStoreBase(initialState: Shop(), reducer: reducer, middleware: middleware)
    for cents in [4_000, 12_000, 3_000, 2_000] { store.dispatch(.sold(cents: cents)) }
    await store.drain()
    await store.drain()  // what the middleware dispatched meanwhile
    return store.state
}

/// `afterReduce` without `output` is another method: nothing calls it.
final class NeverCalled: MiddlewareProtocol {
    func handle(
        action: SaleAction,
        from dispatcher: ActionSource,
        state: @escaping GetState<Shop>
    ) -> IO<SaleAction> {
        .pure()
    }

    func afterReduce(action: SaleAction, from dispatcher: ActionSource, state: @escaping GetState<Shop>) {
        preconditionFailure("never called")
    }
}

let goals = await run(Goals(step: 10_000)).goals
print(goals)  // [16000, 21000]
let large = await run(LargeSales()).large
print(large)  // 1
let cents = await run(NeverCalled()).cents

precondition(goals == [16_000, 21_000] && large == 1 && cents == 21_000)
precondition(Goals(step: 1).hasAfterReduce && !NeverCalled().hasAfterReduce)
