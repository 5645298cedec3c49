import Millrace

enum Sale: Sendable { case sold(cents: Int), large(cents: Int) }

let reducer = Reducer<Sale, [String: Int]>.reduce { sale, totals in  // the only code that changes state
    switch sale {
    case .sold(let cents): totals["cents", default: 0] += cents
    case .large: totals["large", default: 0] += 1
    }
}
struct SpotLargeSales: MiddlewareProtocol {  // side effects: sees every action, may dispatch more
    func handle(action: Sale, from: ActionSource, state: @escaping GetState<[String: Int]>) -> IO<Sale> {
        guard case .sold(let cents) = action, cents >= 9_900 else { return .pure() }
        return IO { output in output.dispatch(.large(cents: cents)) }
    }
}
let store = ReduxStoreBase(initialState: [:], reducer: reducer, middleware: SpotLargeSales())

await withDiscardingTaskGroup { tasks in  // dispatch from any thread
    for _ in 0..<4 { tasks.addTask { for n in 0..<100_000 { store.dispatch(.sold(cents: n % 10_000)) } } }
}
await store.drain()  // all 400,000 sales are reduced and published now
await store.drain()  // and what the middleware dispatched in answer
print(store.state, store.metrics.reduced)
