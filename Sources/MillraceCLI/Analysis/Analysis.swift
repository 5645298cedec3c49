// SPDX-License-Identifier: Apache-2.0

import Millrace

/// One run: makes the stores, starts the producers, and waits for both.
struct Analysis {
    var producers: Int
    var setup = StoreSetup()
    var format: LogFormat
    var maximumKeys: Int
    /// Whether the state has what the page of the log shows.
    var hasPage = false
    /// The reducer of the stores; nil: the one that counts what the report and the page show.
    var reducer: Reducer<LogAction, LogState>?
    /// The plugins of the stores.
    var plugins: RunPlugins?
    /// The journal of the run, with its stores, which were made with the same plugins.
    var journal: RunJournal?

    /// The result of a run.
    struct Outcome: Sendable {
        /// The counts of all stores together.
        var state: LogState
        var metrics: StoreMetrics
        /// The events that the producers found: counted, dropped or rejected.
        var parsed: UInt64
        var duration: Duration
        var findings = RunPlugins.Findings()
    }

    /// Reads `source` to its end. As soon as the stores exist, `watch` is called with them, so that it can read their
    /// metrics.
    func run(_ source: any ChunkSource, watch: (LogShards, EventCounter) -> Void = { _, _ in }) async throws -> Outcome
    {
        let clock = ContinuousClock()
        let start = clock.now
        let state = LogState(producers: producers, maximumKeys: maximumKeys, hasPage: hasPage)
        let reducer = reducer ?? (hasPage ? .accessLogWithPage : .accessLog)
        let shards =
            journal.map { LogShards($0.stores) }
            ?? LogShards(setup, initialState: state, reducer: reducer) {
                plugins?.middleware(ofShard: $0) ?? RunPlugins.noMiddleware
            }
        let parsed = EventCounter()
        plugins?.measure(shards)
        if journal != nil { await plugins?.correctAlerts(in: shards) }
        watch(shards, parsed)
        try await produce(source, into: shards, parsed)
        await shards.drain()
        try await journal?.end()
        let duration = clock.now - start
        let findings = await plugins?.end(shards, isJournaled: journal != nil) ?? RunPlugins.Findings()
        return Outcome(
            state: LogState.merged(shards.states),
            metrics: shards.metrics,
            parsed: parsed.events,
            duration: duration,
            findings: findings
        )
    }

    /// Starts the producers, and returns when the last one is done. Throws only if no thread at all could be started.
    private func produce(_ source: any ChunkSource, into shards: LogShards, _ parsed: EventCounter)
        async throws(SystemError)
    {
        let running = Countdown(producers)
        let hash = KeyHash()
        let dealer = journal.map { journal in
            ChunkDealer(source, to: producers) { journal.isBroken() || journal.hasFailed }
        }
        var failure: SystemError?
        var started = 0
        for number in 0..<producers {
            let (format, maximumKeys, hasPage) = (format, maximumKeys, hasPage)
            let (hand, numbers) = (dealer?.hand(number), journal?.numbers[number] ?? [])
            do throws(SystemError) {
                try startThread {
                    Producer(
                        number: number,
                        shards: shards,
                        source: hand ?? source,
                        parsed: parsed,
                        format: format,
                        maximumKeys: maximumKeys,
                        hash: hash,
                        keepsClients: hasPage,
                        numbers: numbers
                    ).run()
                    running.arrive()
                }
                started += 1
            } catch {
                failure = error
                // The others must not wait for the turn of a producer that does not exist.
                dealer?.end()
                running.arrive()
            }
        }
        if started == 0, let failure { throw failure }
        await running.wait()
        if journal != nil, let failure { throw failure }
    }
}
