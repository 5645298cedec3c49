// SPDX-License-Identifier: Apache-2.0

import Millrace

/// One run: stores, their producers, and the wait for both.
struct Analysis {
    var producers: Int
    var setup = StoreSetup()
    var format: LogFormat
    var maximumKeys: Int
    /// What the stores do with an action.
    var reducer = Reducer<LogAction, LogState>.accessLog
    /// What they do beside.
    var plugins: RunPlugins?

    /// What is left when a run is over.
    struct Outcome: Sendable {
        /// What all stores counted together.
        var state: LogState
        var metrics: StoreMetrics
        /// Events that the producers found, whatever became of them.
        var parsed: UInt64
        var duration: Duration
        var findings = RunPlugins.Findings()
    }

    /// Reads `source` to its end. `watch` is given the stores as soon as there are any, to look at their metrics.
    func run(_ source: any ChunkSource, watch: (LogShards, EventCounter) -> Void = { _, _ in }) async throws -> Outcome
    {
        let clock = ContinuousClock()
        let start = clock.now
        let state = LogState(producers: producers, maximumKeys: maximumKeys)
        let shards = LogShards(setup, initialState: state, reducer: reducer)
        let parsed = EventCounter()
        try await plugins?.install(in: shards)
        watch(shards, parsed)
        try await produce(source, into: shards, parsed)
        await shards.drain()
        let duration = clock.now - start
        let findings = await plugins?.end(shards) ?? RunPlugins.Findings()
        return Outcome(
            state: LogState.merged(shards.states),
            metrics: shards.metrics,
            parsed: parsed.events,
            duration: duration,
            findings: findings
        )
    }

    /// Returns when the last producer is done. Fails only if there is no thread at all to do the work.
    private func produce(_ source: any ChunkSource, into shards: LogShards, _ parsed: EventCounter)
        async throws(SystemError)
    {
        let running = Countdown(producers)
        let hash = KeyHash()
        var failure: SystemError?
        var started = 0
        for number in 0..<producers {
            let (format, maximumKeys) = (format, maximumKeys)
            do throws(SystemError) {
                try startThread {
                    Producer(
                        number: number,
                        shards: shards,
                        source: source,
                        parsed: parsed,
                        format: format,
                        maximumKeys: maximumKeys,
                        hash: hash
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
