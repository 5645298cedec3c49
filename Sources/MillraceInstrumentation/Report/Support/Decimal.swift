// SPDX-License-Identifier: Apache-2.0

/// Converts numbers to text. It uses neither Foundation nor the C library, because their decimal point depends on the
/// locale.
package enum Decimal {
    /// Formats a value with a number of decimal places. It rounds as `printf` does: to even if the value lies exactly
    /// between two. Values that are too large become the largest that fits; NaN becomes 0.
    static func fixed(_ value: Double, _ digits: Int) -> String {
        let unit = (0..<digits).reduce(UInt64(1)) { unit, _ in unit * 10 }
        let product = abs(value) * Double(unit)
        var scaled = product.rounded(.toNearestOrEven)
        // The product was rounded itself: a value that seems to lie exactly in the middle may lie a little beside it.
        let error = (-product).addingProduct(abs(value), Double(unit))
        if product - scaled == 0.5, error > 0 { scaled += 1 }
        if scaled - product == 0.5, error < 0 { scaled -= 1 }
        let whole = scaled < 0x1p63 ? UInt64(scaled) : scaled.isNaN ? 0 : UInt64(Int64.max)
        let sign = value < 0 && whole > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole / unit).\(padded(whole % unit, digits))"
    }

    /// Divides an integer by a power of ten, exactly, and omits trailing zeros: `scaled(1500, 3)` is `1.5`.
    package static func scaled(_ value: UInt64, _ digits: Int) -> String {
        let unit = (0..<digits).reduce(UInt64(1)) { unit, _ in unit * 10 }
        guard value % unit != 0 else { return String(value / unit) }
        var fraction = padded(value % unit, digits)
        while fraction.last == "0" { fraction.removeLast() }
        return "\(value / unit).\(fraction)"
    }

    /// Formats a time with three digits and a unit: `1.23 µs`.
    static func duration(_ nanoseconds: UInt64) -> String {
        if nanoseconds < 1000 { return "\(nanoseconds) ns" }
        // `end` is the value from which rounding would give 1000 (or, for seconds, 120): the next unit begins there.
        for (unit, size, end) in [("µs", 1e3, 999.5e3), ("ms", 1e6, 999.5e6), ("s", 1e9, 119.5e9)] {
            guard Double(nanoseconds) < end else { continue }
            return "\(threeDigits(Double(nanoseconds) / size)) \(unit)"
        }
        let minutes = Double(nanoseconds) / 60e9
        return minutes < 119.5 ? "\(threeDigits(minutes)) min" : "\(threeDigits(minutes / 60)) h"
    }

    /// Formats a share of 1 as per cent: `82 %`, `0.4 %`.
    static func percent(_ share: Double) -> String {
        let percent = share * 100
        if percent <= 0 { return "0 %" }
        if percent < 0.05 { return "< 0.1 %" }
        if percent >= 99.95, share < 1 { return "> 99.9 %" }
        return "\(fixed(percent, percent < 9.95 || (percent > 99 && share < 1) ? 1 : 0)) %"
    }

    /// Formats a share of 1 and the rest: `82 %` and `18 %`, `98.5 %` and `1.5 %`. Both are rounded to the same decimal
    /// place, so that they add up.
    static func percents(_ share: Double) -> (share: String, rest: String) {
        let smaller = min(share, 1 - share) * 100
        var texts = (large: percent(max(share, 1 - share)), small: percent(smaller / 100))
        if smaller >= 0.05 {
            let (digits, unit) = smaller < 9.95 ? (1, 10.0) : (0, 1.0)
            let rounded = (smaller * unit).rounded(.toNearestOrEven) / unit
            texts = ("\(fixed(100 - rounded, digits)) %", "\(fixed(rounded, digits)) %")
        }
        return share > 0.5 ? (texts.large, texts.small) : (texts.small, texts.large)
    }

    /// Formats a count with a comma before each group of three digits.
    static func grouped(_ count: UInt64) -> String {
        let digits = Array(String(count))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// Formats a rate: `980/s`, `12.3 k/s`, `1.92 M/s`.
    static func rate(_ perSecond: Double) -> String {
        if perSecond >= 999.5e3 { return "\(threeDigits(perSecond / 1e6)) M/s" }
        if perSecond >= 9999.5 { return "\(threeDigits(perSecond / 1e3)) k/s" }
        return perSecond < 9.95 ? "\(fixed(perSecond, 1))/s" : "\(grouped(UInt64(perSecond.rounded())))/s"
    }

    /// Formats a number of bytes: `3.2 MiB`.
    static func bytes(_ count: Int) -> String {
        let bytes = Double(max(0, count))
        if bytes < 1024 { return "\(max(0, count)) B" }
        if bytes < 1024 * 1024 { return "\(fixed(bytes / 1024, 1)) KiB" }
        return "\(fixed(bytes / 1024 / 1024, 1)) MiB"
    }

    private static func threeDigits(_ value: Double) -> String {
        fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0)
    }

    private static func padded(_ value: UInt64, _ digits: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
