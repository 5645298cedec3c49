// SPDX-License-Identifier: Apache-2.0

/// Numbers in a form for people.
enum Figures {
    /// Returns `1234567` as `1,234,567`.
    static func grouped(_ value: UInt64) -> String {
        var text = ""
        for (place, digit) in String(value).reversed().enumerated() {
            if place > 0, place % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return String(text.reversed())
    }

    /// Returns a number with a fixed number of decimals, rounded, independent of the locale.
    static func fixed(_ value: Double, _ decimals: Int) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return "-" }
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = UInt64((value.magnitude * scale).rounded())
        let (whole, part) = scaled.quotientAndRemainder(dividingBy: UInt64(scale))
        let sign = value < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return sign + grouped(whole) }
        let digits = String(part)
        return "\(sign)\(grouped(whole)).\(String(repeating: "0", count: decimals - digits.count))\(digits)"
    }

    /// Returns `12345678` bytes as `11.8 MiB`.
    static func bytes(_ count: UInt64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]
        var value = Double(count)
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return unit == 0 ? "\(count) B" : "\(fixed(value, 1)) \(units[unit])"
    }

    /// Returns `1234567` nanoseconds as `1.2 ms`.
    static func time(_ nanoseconds: UInt64) -> String {
        let units: [(limit: Double, divisor: Double, name: String)] = [
            (1e3, 1, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms"), (.infinity, 1e9, "s"),
        ]
        let value = Double(nanoseconds)
        let unit = units.first { value < $0.limit } ?? units[3]
        return unit.divisor == 1 ? "\(nanoseconds) ns" : "\(fixed(value / unit.divisor, 1)) \(unit.name)"
    }

    /// Returns `part` of `whole` as `12.3 %`.
    static func share(_ part: UInt64, of whole: UInt64) -> String {
        whole == 0 ? "-" : "\(fixed(Double(part) * 100 / Double(whole), 1)) %"
    }
}

extension Duration {
    /// The duration in seconds.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
