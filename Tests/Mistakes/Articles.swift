// SPDX-License-Identifier: Apache-2.0

// The samples of articles that stand in doc comments of the library, and in no test or example: the compiler has nothing
// to say about them. Nothing runs them.

import Logging
import MillraceCombine
import MillraceEffects
import MillraceMetrics
import MillraceRuntime
import MillraceService
import ServiceLifecycle

enum CounterAction: Sendable { case increment, decrement }

enum AppAction: Sendable { case audited, counter(CounterAction) }

struct AppState: Sendable {
    var user = "Ada"
    var count = 0
}

// swift-format-ignore
func core() {
    let counter = Reducer<CounterAction, Int>.reduce { action, state in
        switch action {
        case .increment: state += 1
        case .decrement: state -= 1
        }
    }

    struct Audit: MiddlewareProtocol {
        func handle(
            action: AppAction, from dispatcher: ActionSource, state: @escaping GetState<AppState>
        ) -> IO<AppAction> {
            let before = state()
            return IO { output in
                if before.user != state().user { output.dispatch(.audited) }
            }
        }
    }
    _ = (counter, Audit())
}

func elements(_ middleware: EffectMiddleware<Int, Int, Int, Void>, closedTab: (id: Int, name: String)) {
    middleware.cancel { $0.elements.contains(closedTab.id) }
}

func ticks(_ work: () -> Void) {
    let start = Ticks.now
    work()
    print(start.nanoseconds(until: .now))
}

// swift-format-ignore
func events() throws {
    let ring = try EventRing(path: "flight.ring", capacity: 65_536, wordsPerEntry: 4)
    let kind = ring.intern("order placed")
    ring.append(Ticks.now.rawValue, kind, 42)
    let recent = ring.snapshot()                              // here
    let found = try EventRingFile.read("flight.ring")         // or in another process

    let snapshot = recent
    for entry in snapshot.entries {
        print(entry.sequence, snapshot.text(entry[1]) ?? "unknown", entry[2])
    }
    _ = found
}

func damage() {
    do {
        let snapshot = try EventRingFile.read("flight.ring")
        print(snapshot.entries.count, "of process", snapshot.origin.processID)
    } catch .damaged(_, _, let partial) {
        print("at least", partial.entries.count)
    } catch {
        print(error)
    }
}

// swift-format-ignore
func viewModel(_ appReducer: Reducer<AppAction, AppState>) {
    let store = ReduxStoreBase(initialState: AppState(), reducer: appReducer, engine: .main)
    let model = store
        .projection(action: AppAction.counter, state: { $0.count })
        .asObservableViewModel(initialState: 0)
    _ = model
}

func service(_ store: ReduxStoreBase<AppAction, AppState>, _ server: any Service, _ logger: Logger) async throws {
    let group = ServiceGroup(
        services: [StoreService(store), server],
        gracefulShutdownSignals: [.sigterm],
        cancellationSignals: [.sigint],
        logger: logger
    )
    try await group.run()
}

// swift-format-ignore
func metrics(_ store: ReduxStoreBase<AppAction, AppState>) async {
    let exporter = StoreMetricsExporter(store, name: "orders")
    await exporter.run(every: .seconds(10))      // until the task is cancelled
}
