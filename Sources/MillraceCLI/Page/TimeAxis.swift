// SPDX-License-Identifier: Apache-2.0

/// The labels of a time axis.
struct TimeAxis {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let steps: [Int64] = [
        5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 5760, 10_080, 20_160, 40_320, 80_640,
    ]
    private static let most: Int64 = 8

    /// Returns the labels of a span of minutes since 1970. The place of a label is from 0 (the start) to 1 (the end).
    /// On a narrow page the minor labels can be left out.
    static func labels(from start: Int64, span: Int64) -> [(text: String, place: Double, isMinor: Bool)] {
        var step = steps.first { span / $0 <= most } ?? steps.last!
        while span / step > most { step *= 2 }
        // Steps of up to a day are at round times of the day. Longer steps begin with the log.
        var moment = step <= 1440 ? (start + step - 1) / step * step : start
        var labels: [(text: String, place: Double, isMinor: Bool)] = []
        while moment < start + span {
            let isDay = moment % 1440 == 0
            labels.append((text(moment, step: step), Double(moment - start) / Double(span), !isDay))
            moment += step
        }
        // With steps of a day or more, or with fewer than two dates, every second label is minor.
        if step >= 1440 || labels.count(where: { !$0.isMinor }) < 2 {
            for place in labels.indices { labels[place].isMinor = place % 2 == 1 }
        }
        return labels
    }

    private static func text(_ minute: Int64, step: Int64) -> String {
        let (day, ofDay) = split(minute)
        let (year, month, date) = CivilTime.date(days: Int(day))
        if step < 1440, ofDay > 0 { return time(ofDay) }
        return step > 20_160 ? "\(months[month - 1]) \(year)" : "\(date) \(months[month - 1])"
    }

    /// Returns a moment as `17 May 2015, 10:05`, in UTC.
    static func moment(_ minute: Int64) -> String {
        let (day, ofDay) = split(minute)
        let (year, month, date) = CivilTime.date(days: Int(day))
        return "\(date) \(months[month - 1]) \(year), \(time(ofDay))"
    }

    private static func split(_ minute: Int64) -> (day: Int64, ofDay: Int64) {
        let day = minute >= 0 ? minute / 1440 : (minute - 1439) / 1440
        return (day, minute - day * 1440)
    }

    private static func time(_ ofDay: Int64) -> String {
        let text = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(text(ofDay / 60)):\(text(ofDay % 60))"
    }
}
