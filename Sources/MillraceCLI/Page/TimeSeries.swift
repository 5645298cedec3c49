// SPDX-License-Identifier: Apache-2.0

/// The traffic over time, in steps that suit the length of the log.
struct TimeSeries: Equatable, Sendable {
    /// The figures of a step.
    struct Bucket: Equatable, Sendable {
        var requests: UInt64 = 0
        var bytes: UInt64 = 0
        /// The requests by the first digit of their status, 1 to 5, from index 0.
        var classes: [UInt64] = [0, 0, 0, 0, 0]
    }

    /// The first minute of the first step, since 1970.
    let start: Int64
    /// The minutes in a step.
    let step: Int64
    private(set) var buckets: [Bucket]
    /// The minutes in a step of `visitors`: an hour at least, because visitors are not counted by the minute.
    let visitorStep: Int64
    private(set) var visitors: [UInt64]

    /// The minutes that all buckets cover together.
    var span: Int64 { step * Int64(buckets.count) }

    /// Returns the figures over time; nil if no minute is known.
    init?(_ traffic: Traffic) {
        let known = traffic.minutes.filter { $0.moment != nil }
        guard let first = known.map({ $0.moment! }).min(), let last = known.map({ $0.moment! }).max() else {
            return nil
        }
        step = Self.step(for: last - first + 1)
        visitorStep = max(step, 60)
        // The first step begins where the first step of `visitors` begins.
        start = Self.floor(first, visitorStep)
        let count = Int((last - start) / visitorStep + 1) * Int(visitorStep / step)
        buckets = [Bucket](repeating: Bucket(), count: count)
        visitors = [UInt64](repeating: 0, count: Int((last - start) / visitorStep + 1))
        for minute in known {
            buckets[Int((minute.moment! - start) / step)].add(minute)
        }
        let byHour = visitorStep == 60
        for (time, count) in byHour ? traffic.visitors.byHour : traffic.visitors.byDay {
            let minutes = time * (byHour ? 60 : 1440) - start
            // Shards may know visitors of minutes that did not fit into the table of all shards.
            guard minutes >= 0, minutes / visitorStep < visitors.count else { continue }
            visitors[Int(minutes / visitorStep)] &+= count
        }
    }

    /// Returns the minutes in a step for a log of this number of minutes. There are at most some hundred steps.
    private static func step(for span: Int64) -> Int64 {
        switch span {
        case ...180: 1
        case ...900: 5
        case ...2160: 15
        case ...14_400: 60
        case ...532_800: 1440
        default: 10_080 * ((span + 10_080 * 370 - 1) / (10_080 * 370))
        }
    }

    private static func floor(_ value: Int64, _ unit: Int64) -> Int64 {
        (value >= 0 ? value / unit : (value - unit + 1) / unit) * unit
    }

    /// What a step is called: `minute`, `15 minutes`, `day`.
    static func name(_ step: Int64) -> String {
        switch step {
        case 1: "minute"
        case 60: "hour"
        case 1440: "day"
        case ..<60: "\(step) minutes"
        case 10_080: "week"
        default: "\(step / 10_080) weeks"
        }
    }
}

extension TimeSeries.Bucket {
    fileprivate mutating func add(_ minute: Traffic.Minute) {
        let parts = [minute.classes.0, minute.classes.1, minute.classes.2, minute.classes.3, minute.classes.4]
        for (place, part) in parts.enumerated() { classes[place] &+= part }
        requests &+= parts.reduce(0, &+)
        let (sum, overflow) = bytes.addingReportingOverflow(minute.bytes)
        bytes = overflow ? .max : sum
    }
}
