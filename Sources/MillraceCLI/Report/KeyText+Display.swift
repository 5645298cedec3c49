// SPDX-License-Identifier: Apache-2.0

extension KeyText {
    /// The text, with bytes that are not UTF-8 written as `\xHH`. Different texts stay different.
    var repaired: String {
        var result = String.UnicodeScalarView()
        var decoder = UTF8Pieces(bytes: bytes[...])
        while let piece = decoder.next() {
            switch piece {
            case .scalar(let scalar): result.append(scalar)
            case .invalid(let byte): result.append(contentsOf: escaped(byte).unicodeScalars)
            }
        }
        return String(result)
    }

    /// The text for a terminal: control and formatting characters are escaped too. So no log line can move the cursor,
    /// change colours or reverse the direction of writing.
    var printable: String {
        var result = String.UnicodeScalarView()
        for scalar in repaired.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control where scalar.isASCII:
                result.append(contentsOf: escaped(UInt8(scalar.value)).unicodeScalars)
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
            default:
                result.append(scalar)
            }
        }
        return String(result)
    }

    private func escaped(_ byte: UInt8) -> String {
        "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
}

/// Splits bytes into Unicode scalars and bytes that are not part of one.
private struct UTF8Pieces {
    enum Piece {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    var bytes: ArraySlice<UInt8>

    mutating func next() -> Piece? {
        guard let first = bytes.first else { return nil }
        let length = first < 0x80 ? 1 : max(2, min(4, (~first).leadingZeroBitCount))
        let candidate = bytes.prefix(length)
        if let text = String(validating: candidate, as: UTF8.self), let scalar = text.unicodeScalars.first,
            text.unicodeScalars.count == 1
        {
            bytes = bytes.dropFirst(length)
            return .scalar(scalar)
        }
        bytes = bytes.dropFirst()
        return .invalid(first)
    }
}
