// SPDX-License-Identifier: Apache-2.0

// The code of the article "Outputs", block by block.
import Millrace
import MillraceInstrumentation

enum ShopAction: Sendable {
    case open(Int), find(String)
}

struct Search: MiddlewareProtocol {
    func handle(action: ShopAction, from dispatcher: ActionSource, state: @escaping GetState<Int>) -> IO<ShopAction> {
        guard case .find = action else { return .pure() }
        return IO { $0.dispatch(.open(0)) }
    }
}

let store = ReduxStoreBase(
    initialState: 0,
    reducer: Reducer<ShopAction, Int>.reduce { _, count in count += 1 },
    middleware: Search().named("search")
)
let instrumentation = Instrumentation(store)
for number in 1...1000 { store.dispatch(number % 10 == 0 ? .find("anvil") : .open(number)) }

let snapshot = await instrumentation.snapshot()
print(SlownessReport(snapshot))
print(LatencyTable(snapshot))
try HTMLReport(snapshot).write(toFile: "report.html")

let text = PrometheusReport(await instrumentation.snapshot()).description
print(text.split(separator: "\n").count, "lines for a scraper")

let traced = Instrumentation(store, traceRoom: 100_000)
let tracing = Task {
    let trace = try TraceFile(path: "trace.json", label: "orders")
    repeat {
        try? await Task.sleep(for: .seconds(1))
        try trace.append(await traced.traceBatch())
    } while !Task.isCancelled
    try trace.close()
}

let stall = TraceStall()
let stalled = try TraceFile(path: "stall.json", label: "orders", keep: .around(stall))
let watchdog = SlowHandlerWatchdog(store, limit: .milliseconds(100)) { stall.note($0) }

for number in 1...100 { store.dispatch(.open(number)) }
tracing.cancel()
try await tracing.value

try stalled.append(await traced.traceBatch())
try stalled.close()
withExtendedLifetime(watchdog) {}
