// SPDX-License-Identifier: Apache-2.0

// The code of the page of MillraceEffects, block by block.
import Millrace
import MillraceEffects

enum AppAction: Sendable {
    case typed(String), found([String]), follow(Set<String>), price(String, Int)
    case opened(String), closed(String), text(String), failed(String, String)
}

struct AppState: Sendable {
    var titles: [String] = []
    var followed: Set<String> = []
    var prices: [String: Int] = [:]
    /// How long each title may stay open.
    var limits: [String: Duration] = [:]
    var texts: [String] = []
    var failures: [String] = []
}

struct NoSuchTitle: Error {}

func text(of title: String) async throws -> String {
    guard title.hasPrefix("mill") else { throw NoSuchTitle() }
    return "All about \(title)"
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

let expiries = SimpleEffectMiddleware<AppAction, AppState>.supervise(
    each: \.limits,
    key: \.key,
    definition: \.value
) { entry in
    .just(.closed(entry.key)).delay(for: entry.value)
}

let loading = SimpleEffectMiddleware<AppAction, AppState>.onAction { action, _, _ in
    switch action {
    case .opened(let title):
        .task(token: title, policy: .keepFirst, retry: .exponential(retries: 3, initial: .milliseconds(1))) { _ in
            .text(try await text(of: title))
        } catchErrors: { error in
            .failed(title, "\(error)")  // of the last attempt
        }
        .timeout(after: .seconds(5)) { .failed(title, "no answer") }
    case .closed(let title): .toCancel(title)
    default: .doNothing
    }
}

let reducer = Reducer<AppAction, AppState>.reduce { action, state in
    switch action {
    case .typed: break
    case .opened(let title): state.limits[title] = .seconds(60)
    case .closed(let title): state.limits[title] = nil
    case .text(let text): state.texts.append(text)
    case .failed(let title, let why): state.failures.append("\(title): \(why)")
    case .found(let titles): state.titles = titles
    case .follow(let symbols): state.followed = symbols
    case .price(let symbol, let price): state.prices[symbol] = price
    }
}
let store = ReduxStoreBase(
    initialState: AppState(),
    reducer: reducer,
    middleware: search <> quotes <> expiries <> loading,
    engine: .thread()
)

for text in ["m", "mi", "mill"] { store.dispatch(.typed(text)) }
store.dispatch(.follow(["AB", "XYZ"]))
for title in ["mill", "wheel"] { store.dispatch(.opened(title)) }
for await state in store.states where !state.titles.isEmpty && state.prices.count == 2 {
    print(state.titles, state.prices.values.sorted(), "running effects:", quotes.runningEffects)
    break
}
for await state in store.states where !state.texts.isEmpty && !state.failures.isEmpty {
    print(state.texts, state.failures)
    break
}
store.dispatch(.follow(["AB"]))
await store.drain()
print("running effects:", search.runningEffects, quotes.runningEffects)
print("replaced before they began:", search.figures.cancelled)
