// SPDX-License-Identifier: Apache-2.0

import Logging
import Millrace
import MillraceLogging

enum CartAction: Sendable { case add(String, price: Int), rename(String), tick }
struct Cart: Sendable { var owner = "nobody", prices: [Int] = [] }

let reducer = Reducer<CartAction, Cart>.reduce { action, cart in
    switch action {
    case .add(_, let price): cart.prices.append(price)
    case .rename(let owner): cart.owner = owner
    case .tick: break
    }
}
let app = IdentityMiddleware<CartAction, CartAction, Cart>()

let log = ActionLog()
let middleware = app.logger(
    actionPrinter: .custom { print($0) },
    actionFilter: { if case .tick = $0 { false } else { true } },
    stateDiffTransform: .recursive(stateName: "Cart", spelling: .indexed),
    stateDiffPrinter: .custom { print($0) },
    log: log
)
let store = ReduxStoreBase(initialState: Cart(), reducer: reducer, middleware: middleware)
store.dispatch(.add("tea", price: 4))
await store.drain()
await log.flush()

let prices = IdentityMiddleware<CartAction, CartAction, [Int]>().logger(
    stateDiffTransform: .recursive(stateName: "prices"),
    log: log
).lift(state: \Cart.prices)

let alone = IdentityMiddleware<CartAction, CartAction, Cart>().logger(log: log)

let inner = LoggerMiddleware<CartAction, Cart>.default(log: log)
    .lift(outputAction: { (never: Never) -> CartAction in })

var logger = Logger(label: "shop.actions")
logger.logLevel = .error
let failures = app.logger(
    actionTransform: .actionNameOnly,
    actionPrinter: .swiftLog(logger),
    level: { if case .rename = $0 { .error } else { .trace } },
    log: log
)

let file = FileAppender(path: "actions.log") { error in print(error) }
let audit = app.logger(
    actionPrinter: .file(file),
    sampling: .oneIn(100),
    rateLimit: LogRateLimit(perSecond: 1_000, burst: 50),
    redaction: { $0.contains("rename") ? "[redacted]" : $0 },
    log: log
)

let loggers = prices <> failures <> audit <> alone <> inner
let both = ReduxStoreBase(initialState: Cart(), reducer: reducer, middleware: loggers)
both.dispatch(.rename("Ada"))
both.dispatch(contentsOf: Array(repeating: .add("tea", price: 4), count: 1_000))
await both.drain()
await log.flush()
print(log.metrics, file.metrics)
