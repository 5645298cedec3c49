// SPDX-License-Identifier: Apache-2.0

import Histogram
import MillraceCore

/// The percentiles of one distribution in the text format of HdrHistogram, `.hgrm`, which its plotters read.
///
/// ```swift
/// try PercentileReport(stage.latency).write(toFile: "reducers.hgrm")
/// let files = try PercentileReport.write(snapshot, toFolder: "latencies")     // all stages, kinds and effects
/// ```
///
/// The columns are value, percentile, cumulative count, and 1/(1-percentile). There are five rows for each halving of
/// the distance to 100 %, as HdrHistogram writes them. Outliers are not in the rows; a comment at the end counts them.
public struct PercentileReport: InstrumentationReport {
    /// The unit of the values.
    public enum Unit: UInt64, Sendable, Hashable, CaseIterable {
        /// A nanosecond.
        case nanoseconds = 1
        /// A microsecond, suitable for most stages.
        case microseconds = 1_000
        /// A millisecond: plotters assume it unless told otherwise.
        case milliseconds = 1_000_000
    }

    private let latency: LatencyDistribution
    private let unit: Unit
    private static var stepsPerHalving: Double { 5 }

    /// Creates a report of a distribution.
    ///
    /// - Parameters:
    ///   - latency: The distribution to write.
    ///   - unit: The unit of the values; a plotter must be told which one it is. Values have as many decimal places as
    ///     the histogram has digits.
    public init(_ latency: LatencyDistribution, unit: Unit = .microseconds) {
        self.latency = latency
        self.unit = unit
    }

    /// Writes the distribution.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let histogram = latency.histogram
        let digits = Int(histogram.numberOfSignificantValueDigits.rawValue)
        let ratio = Double(unit.rawValue)
        func right(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count)) + text
        }
        func value(_ nanoseconds: Double) -> String { right(Decimal.fixed(nanoseconds / ratio, digits), 12) }
        target.write("       Value     Percentile TotalCount 1/(1-Percentile)\n\n")
        var (level, reached) = (0.0, UInt64(0))
        var (sum, squares) = (0.0, 0.0)
        for bucket in RecordedBuckets(histogram) {
            reached += bucket.count
            let middle = Double(histogram.medianEquivalentForValue(bucket.values.lowerBound))
            sum += middle * Double(bucket.count)
            let text = value(Double(bucket.values.upperBound))
            while level < 100, 100 * Double(reached) / Double(histogram.totalCount) >= level {
                let (part, inverse) = (level / 100, 1 / (1 - level / 100))
                target.write(
                    """
                    \(text) \(Decimal.fixed(part, 12)) \(right(String(reached), 10)) \
                    \(right(Decimal.fixed(inverse, 2), 14))

                    """
                )
                // The same number of steps for each halving of the distance that is left.
                let halvings = (100 / (100 - level)).exponent
                level += 100 / (Self.stepsPerHalving * Double(sign: .plus, exponent: halvings + 1, significand: 1))
                if reached == histogram.totalCount { break }
            }
            if reached == histogram.totalCount {
                target.write("\(text) \(Decimal.fixed(1, 12)) \(right(String(reached), 10))\n")
            }
        }
        let mean = reached == 0 ? 0 : sum / Double(reached)
        for bucket in RecordedBuckets(histogram) {
            let distance = Double(histogram.medianEquivalentForValue(bucket.values.lowerBound)) - mean
            squares += distance * distance * Double(bucket.count)
        }
        let deviation = reached == 0 ? 0 : (squares / Double(reached)).squareRoot()
        let structure = Structure(histogram)
        target.write(
            """
            #[Mean    = \(value(mean)), StdDeviation   = \(value(deviation))]
            #[Max     = \(value(Double(histogram.max))), Total count    = \(right(String(reached), 12))]
            #[Buckets = \(right(String(structure.buckets), 12)), SubBuckets     = \
            \(right(String(structure.subBuckets), 12))]

            """
        )
        if latency.outliers > 0 { target.write("#[Outliers = \(latency.outliers), longer than an hour]\n") }
    }

    /// The structure of a histogram, which its type does not expose.
    private struct Structure {
        var buckets = 1
        var subBuckets: UInt64 = 1

        init(_ histogram: Histogram<UInt64>) {
            let largest = (0..<histogram.numberOfSignificantValueDigits.rawValue).reduce(UInt64(2)) { unit, _ in
                unit * 10
            }
            while subBuckets < largest { subBuckets *= 2 }
            var end = subBuckets
            while end <= histogram.highestTrackableValue, end < 1 << 62 {
                end *= 2
                buckets += 1
            }
        }
    }
}

extension PercentileReport {
    /// Writes a file for each stage, kind and effect that has recorded times.
    ///
    /// The files are `stage-NAME.hgrm`, `kind-NAME-wait.hgrm`, `kind-NAME-work.hgrm`, `kind-NAME-total.hgrm` and
    /// `effect-NAME.hgrm`. Characters other than letters, digits, `-` and `_` become `_`. Equal names get a number.
    ///
    /// - Parameters:
    ///   - snapshot: The measurements to write.
    ///   - folder: The folder for the files. It is created if it is missing; its parent folder must exist.
    ///   - unit: The unit of the values.
    /// - Returns: The paths, in the order of the snapshot.
    /// - Throws: ``ReportFileError`` for the first file that cannot be written. Those before it are there.
    @discardableResult
    public static func write(
        _ snapshot: InstrumentationSnapshot,
        toFolder folder: String,
        unit: Unit = .microseconds
    ) throws(ReportFileError) -> [String] {
        try FileStream.makeFolder(folder)
        var all: [(name: String, latency: LatencyDistribution)] = []
        for stage in snapshot.stages { all.append(("stage-" + Escaping.fileName(stage.name), stage.latency)) }
        for kind in snapshot.kinds {
            all.append(("kind-\(Escaping.fileName(kind.name))-wait", kind.wait))
            all.append(("kind-\(Escaping.fileName(kind.name))-work", kind.work))
            all.append(("kind-\(Escaping.fileName(kind.name))-total", kind.total))
        }
        for effect in snapshot.effects { all.append(("effect-" + Escaping.fileName(effect.name), effect.latency)) }
        var (used, paths): (Set<String>, [String]) = ([], [])
        for (name, latency) in all where latency.count > 0 {
            var (unique, number) = (name, 2)
            // Some file systems do not distinguish upper and lower case.
            while !used.insert(unique.lowercased()).inserted {
                unique = "\(name)-\(number)"
                number += 1
            }
            let path = "\(folder)/\(unique).hgrm"
            try PercentileReport(latency, unit: unit).write(toFile: path)
            paths.append(path)
        }
        return paths
    }
}
