// SPDX-License-Identifier: Apache-2.0

/// The layout of a type as a text, with one line for each type in it, and a fingerprint of that text.
///
/// Two builds of a program can read each other's bytes only if their texts are equal. The text is in the header of a
/// file, so that an error can show what differs.
struct LayoutText {
    private(set) var lines: [String] = []
    private var numbers: [UnsafeRawPointer: Int] = [:]

    /// Returns the number of a type, and whether its line must still be written.
    mutating func number(of type: TypeMetadata) -> (number: Int, isNew: Bool) {
        if let known = numbers[type.address] { return (known, false) }
        let number = lines.count
        numbers[type.address] = number
        lines.append("")
        return (number, true)
    }

    mutating func set(_ line: String, of number: Int) {
        lines[number] = "#\(number) \(line)"
    }

    var text: String { lines.joined(separator: "\n") }

    /// The 64-bit FNV-1a hash of the text's UTF-8 bytes.
    static func fingerprint(of text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
