// SPDX-License-Identifier: Apache-2.0

import Millrace
import Synchronization

/// One run: a store, its producers, and the wait for both.
struct Analysis {
    var producers: Int
    var engine: StoreEngine
    var format: LogFormat
    var maximumKeys: Int

    /// What is left when a run is over.
    struct Outcome: Sendable {
        var state: LogState
        var metrics: StoreMetrics
        var duration: Duration
    }

    /// Reads `source` to its end. `watch` is given the store as soon as there is one, for looking at its metrics.
    func run(_ source: any ChunkSource, watch: (LogStore, Tally) -> Void = { _, _ in }) async throws(SystemError)
        -> Outcome
    {
        let clock = ContinuousClock()
        let start = clock.now
        // A snapshot would share the state's arrays, and the next event would copy them: publish only for the report.
        let store = LogStore(
            initialState: LogState(producers: producers, maximumKeys: maximumKeys),
            reducer: .accessLog,
            emitsValue: .never,
            engine: engine,
            publication: .onDemand
        )
        let tally = Tally()
        watch(store, tally)
        try await produce(source, into: store, tally)
        await store.drain()
        let state = store.state
        return Outcome(state: state, metrics: store.metrics, duration: clock.now - start)
    }

    /// Returns when the last producer is done. Fails only if there is no thread at all to do the work.
    private func produce(_ source: any ChunkSource, into store: LogStore, _ tally: Tally) async throws(SystemError) {
        let running = Countdown(producers)
        var failure: SystemError?
        var started = 0
        for number in 0..<producers {
            let (format, maximumKeys) = (format, maximumKeys)
            do throws(SystemError) {
                try startThread {
                    Producer(
                        number: number,
                        store: store,
                        source: source,
                        tally: tally,
                        format: format,
                        maximumKeys: maximumKeys
                    ).run()
                    running.arrive()
                }
                started += 1
            } catch {
                failure = error
                running.arrive()
            }
        }
        if started == 0, let failure { throw failure }
        await running.wait()
    }
}

/// Lets one task wait for a number of threads.
private final class Countdown: Sendable {
    private struct State {
        var left: Int
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(left: count))
    }

    func arrive() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.left -= 1
            return state.left == 0 ? state.waiter : nil
        }
        waiter?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state -> Bool in
                if state.left > 0 { state.waiter = continuation }
                return state.left == 0
            }
            if isOver { continuation.resume() }
        }
    }
}
