// SPDX-License-Identifier: Apache-2.0

// The code of the page of MillraceEffects, block by block.
import Millrace
import MillraceEffects

enum AppAction: Sendable {
    case typed(String), found([String]), follow(Set<String>), price(String, Int)
}

struct AppState: Sendable {
    var titles: [String] = []
    var followed: Set<String> = []
    var prices: [String: Int] = [:]
}

func titles(containing text: String) async -> [String] {
    ["brook", "mill", "millrace", "wheel"].filter { $0.contains(text) }
}

func prices(of symbol: String) -> AsyncStream<Int> {
    AsyncStream { continuation in continuation.yield(symbol.count) }  // and never ends
}

let search = SimpleEffectMiddleware<AppAction, AppState>.onAction { action, _, _ in
    switch action {
    case .typed(""): .toCancel("search")
    case .typed(let text):
        .task { _ in .found(await titles(containing: text)) }
            .debounce(for: .milliseconds(50), token: "search")
    default: .doNothing
    }
}

let quotes = SimpleEffectMiddleware<AppAction, AppState>.supervise(by: \.followed) { followed in
    followed.map { symbol in
        SupervisedEffect(symbol, .stream { _ in prices(of: symbol).map { .price(symbol, $0) } })
    }
}

let reducer = Reducer<AppAction, AppState>.reduce { action, state in
    switch action {
    case .typed: break
    case .found(let titles): state.titles = titles
    case .follow(let symbols): state.followed = symbols
    case .price(let symbol, let price): state.prices[symbol] = price
    }
}
let store = ReduxStoreBase(
    initialState: AppState(),
    reducer: reducer,
    middleware: search <> quotes,
    engine: .thread()
)

for text in ["m", "mi", "mill"] { store.dispatch(.typed(text)) }
store.dispatch(.follow(["AB", "XYZ"]))
for await state in store.states where !state.titles.isEmpty && state.prices.count == 2 {
    print(state.titles, state.prices.values.sorted(), "at work:", quotes.runningEffects)
    break
}
store.dispatch(.follow(["AB"]))
await store.drain()
print("at work:", search.runningEffects, quotes.runningEffects)
print("replaced before they began:", search.figures.cancelled)
