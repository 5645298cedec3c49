// SPDX-License-Identifier: Apache-2.0

// A movie browser that searches while you type; README.md beside this file tells what is where.
import Foundation
import MillraceCombine

do {
    let server = try MovieServer()
    let address = try await server.start()
    let favourites = FavouritesLibrary()
    let store = makeStore(
        world: World(movies: .http(server: address), favourites: favourites),
        searchToken: CommandLine.arguments.contains("--without-token") ? nil : "search"
    )
    let model = browserModel(store)
    let terminal = Terminal(model)
    var checks = Checks()
    try await demonstrate(User(model: model, server: server), terminal, favourites, &checks)

    let metrics = store.metrics
    print("offered \(metrics.offered), reduced \(metrics.reduced), cancelled \(metrics.cancelled),", terminator: " ")
    print("dropped \(metrics.dropped), rejected \(metrics.rejected), pending \(metrics.pending)")
    checks.expect("the counters balance, and nothing was lost") {
        metrics.offered == metrics.reduced + metrics.cancelled
            && [metrics.dropped, metrics.rejected, metrics.pending].allSatisfy { $0 == 0 }
    }
    let report = await store.shutdown(deadline: .seconds(5))
    print(report)
    checks.expect("the store has ended") { report.isComplete }
    await server.stop()
    exit(checks.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
} catch {
    print("The example could not be run to its end: \(error)")
    exit(EXIT_FAILURE)
}
