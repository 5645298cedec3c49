// SPDX-License-Identifier: Apache-2.0

import Foundation

extension String {
    /// The text for the content and the attributes of XML. Characters that XML does not allow are left out.
    var escaped: String {
        var result = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n", "\r": result += " "
            case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension Int {
    /// The number in groups of three digits: "2,000,000".
    var grouped: String {
        var digits = String(self)
        var groups = ""
        while digits.count > 3 {
            groups = "," + digits.suffix(3) + groups
            digits.removeLast(3)
        }
        return digits + groups
    }
}

extension Int {
    /// The number as bytes, in the largest unit that divides it: "8 B", "4 KB", "1 GB".
    var bytes: String {
        let units = ["B", "KB", "MB", "GB"]
        var number = self
        var unit = 0
        while number >= 1_024, number.isMultiple(of: 1_024), unit < units.count - 1 {
            number /= 1_024
            unit += 1
        }
        return "\(number.grouped) \(units[unit])"
    }
}

extension Double {
    /// The nanoseconds in the unit that leaves at most three digits before the point: "7.7 ns", "125 µs", "1 s".
    var duration: String {
        var number = self
        var units = ["ns", "µs", "ms", "s"][...]
        while number >= 999.5, units.count > 1 {
            number /= 1_000
            units.removeFirst()
        }
        let text = number < 9.95 && number != number.rounded() ? number.fixed(1) : number.whole
        return "\(text) \(units.first ?? "s")"
    }

    /// The number with a digit after the point if it is below 100, otherwise in groups of three digits: "10.9",
    /// "1,219".
    var figure: String {
        self < 99.95 ? fixed(1) : Int(rounded()).grouped
    }

    /// The number with so many digits after the point, the same in every locale.
    func fixed(_ digits: Int) -> String {
        String(format: "%.\(digits)f", locale: Locale(identifier: "en_US_POSIX"), self)
    }

    /// The number without digits after the point, the same in every locale.
    var whole: String { fixed(0) }
}
