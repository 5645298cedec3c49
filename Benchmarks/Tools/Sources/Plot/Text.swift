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

extension Double {
    /// The number with a digit after the point if it is below 100, otherwise in groups of three digits: "10.9",
    /// "1,219".
    var figure: String {
        self < 99.95 ? fixed(1) : Int(rounded()).grouped
    }

    /// The number with so many digits after the point, the same in every locale.
    func fixed(_ digits: Int) -> String {
        String(format: "%.\(digits)f", locale: Locale(identifier: "en_US_POSIX"), self)
    }
}
