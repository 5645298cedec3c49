// SPDX-License-Identifier: Apache-2.0

public import MillraceJournal
import Synchronization

extension StoreMetricsExporter {
    /// Exports the store's counters, as ``export()`` does, and the figures of its journal.
    ///
    /// ```swift
    /// exporter.export(journal.metrics)
    /// ```
    ///
    /// The names are those of `JournalMetrics.prometheusText(store:)`; the dimension `store` has the exporter's name. A
    /// histogram is exported as counters: `…_bucket` with the dimension `le`, cumulative, and `…_count`; the time of
    /// all syncs as `…_sum`, in seconds.
    ///
    /// - Parameter journal: The figures of the store's journal.
    /// - Returns: Whether there were counters of the store to read; false after the store was released.
    @discardableResult
    public func export(_ journal: JournalMetrics) -> Bool {
        let store: CachedMetrics.Dimensions = [("store", name)]
        measurements.withLock { metrics in
            for figure in journal.figures {
                if figure.isCounter {
                    metrics.count(figure.value, figure.name, store)
                } else {
                    metrics.record(Int(clamping: figure.value), figure.name, store)
                }
            }
            for histogram in journal.histograms {
                for bucket in histogram.buckets {
                    metrics.count(bucket.count, histogram.name + "_bucket", store + [("le", bucket.limit)])
                }
                metrics.count(histogram.count, histogram.name + "_count", store)
            }
            metrics.seconds(
                nanoseconds: journal.syncTimes.sum,
                "millrace_journal_sync_duration_seconds_sum",
                store
            )
            metrics.count(journal.groupSizes.sum, "millrace_journal_group_actions_sum", store)
        }
        return export()
    }

    /// Exports the store's counters and the figures of its journal, now and after every interval, until the task is
    /// cancelled or the store was released. After a cancellation the method exports once more.
    ///
    /// - Parameters:
    ///   - interval: The time between two exports; a shorter time than a millisecond counts as a millisecond.
    ///   - journal: The journal of the store.
    public func run<Action>(every interval: Duration = .seconds(10), journal: Journal<Action>) async {
        await run(every: interval) { export(journal.metrics) }
    }
}
