// SPDX-License-Identifier: Apache-2.0

#if Instrumentation
    import MillraceCore
    public import MillraceInstrumentation
    import Synchronization

    extension StoreMetricsExporter {
        /// Exports the store's counters, as ``export()`` does, and what an instrumentation measured.
        ///
        /// ```swift
        /// exporter.export(await instrumentation.snapshot())
        /// ```
        ///
        /// The names and labels are those of `PrometheusReport`; the dimension `store` has the exporter's name. A
        /// histogram is exported as counters: `…_bucket` with the dimension `le`, cumulative and in seconds, `…_count`
        /// and `…_sum`. (A timer of swift-metrics would have to receive every recorded time on its own.) In PromQL,
        /// `histogram_quantile` accepts them like any other histogram.
        ///
        /// **Cost.** A metric is created when its stage or kind first occurs, and is kept: later exports look up
        /// nothing in the metrics system. A histogram has one counter for each limit, and three more; a kind has three
        /// histograms.
        ///
        /// - Parameters:
        ///   - snapshot: What one instrumentation of the store measured. Pass snapshots, not intervals: a figure that
        ///     is smaller than before adds nothing until it is larger again.
        ///   - limits: The limits of the buckets, in nanoseconds, in any order; `+Inf` is added. Pass the same limits
        ///     each time.
        /// - Returns: Whether there were counters to read; false after the store was released.
        @discardableResult
        public func export(
            _ snapshot: InstrumentationSnapshot,
            limits: [UInt64] = PrometheusReport.defaultLimits
        ) -> Bool {
            let limits = Set(limits).sorted()
            let store: CachedMetrics.Dimensions = [("store", name)]
            measurements.withLock { metrics in
                for family in HistogramFamily.all(of: snapshot, store: name) {
                    for (labels, latency) in family.series {
                        for (limit, count) in zip(limits, latency.cumulativeCounts(limits)) {
                            let bucket = labels + [("le", Decimal.scaled(limit, 9))]
                            metrics.count(count, family.name + "_bucket", bucket)
                        }
                        metrics.count(latency.count, family.name + "_bucket", labels + [("le", "+Inf")])
                        metrics.count(latency.count, family.name + "_count", labels)
                        metrics.seconds(nanoseconds: latency.nanoseconds, family.name + "_sum", labels)
                    }
                }
                metrics.count(snapshot.actions, "millrace_actions_total", store)
                metrics.count(snapshot.measured, "millrace_measured_actions_total", store)
                metrics.count(snapshot.missedStages, "millrace_missed_stages_total", store)
                let effects = snapshot.effects.map {
                    (store + [("effect", $0.name)], [$0.started, $0.completed, $0.cancelled])
                }
                for (labels, counts) in HistogramFamily.merged(effects, { zip($0, $1).map(&+) }) {
                    for (word, count) in zip(["started", "completed", "cancelled"], counts) {
                        metrics.count(count, "millrace_effects_\(word)_total", labels)
                    }
                }
                metrics.record(snapshot.memory, "millrace_instrumentation_memory_bytes", store)
            }
            return export()
        }

        /// Exports the store's counters and what an instrumentation measured, now and after every interval, until the
        /// task is cancelled, the store was released, or `snapshot` returns nil. After a cancellation the method
        /// exports once more, so that everything measured before is exported.
        ///
        /// ```swift
        /// await exporter.run(every: .seconds(10)) { await instrumentation.snapshot() }
        /// ```
        ///
        /// - Parameters:
        ///   - interval: The time between two exports; a shorter time than a millisecond counts as a millisecond.
        ///   - limits: The limits of the buckets, in nanoseconds, in any order; `+Inf` is added.
        ///   - snapshot: The closure that returns what was measured until now; nil when there is nothing more to read.
        public func run(
            every interval: Duration = .seconds(10),
            limits: [UInt64] = PrometheusReport.defaultLimits,
            snapshot: @Sendable () async -> InstrumentationSnapshot?
        ) async {
            await run(
                every: interval,
                pass: {
                    guard let next = await snapshot() else {
                        export()
                        return false
                    }
                    return export(next, limits: limits)
                }
            )
        }
    }
#endif
