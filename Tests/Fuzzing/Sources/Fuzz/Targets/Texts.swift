// SPDX-License-Identifier: Apache-2.0

@testable import MillraceLogging
@testable import MillraceTesting

/// Values made from the input, as MillraceLogging and MillraceTesting print and compare them.
let textsTarget = FuzzTarget(name: "texts", mostBytes: 512, seeds: textSeeds) { input in
    var choices = Choices(input)
    let old = PrintedValue(&choices)
    let new = choices.byte() % 4 == 0 ? old : PrintedValue(&choices)
    for value in [old, new] {
        let text = dumpToString(value)
        expect(dumpToString(value) == text, "printed twice, it is not the same")
        // MillraceTesting prints for the author of a test: it promises one line, and no more.
        let line = MillraceTesting.ValueLines.line(of: value)
        expect(!line.unicodeScalars.contains { $0.value < 0x20 }, "a line with a control character: \(line)")
        for line in text.split(separator: "\n") { checkLine(String(line)) }
    }
    let (before, after) = (lines(old), lines(new))
    // A line for each change, and none without one.
    let changes = RecursiveDiff(old, new, name: "state", prefix: "", filters: [], spelling: .indexed, mostLines: 1000)
    if old == new { expect(changes.lines.isEmpty, "equal values differ: \(changes.lines.map(\.shown))") }
    if before != after { expect(!changes.lines.isEmpty, "values that print otherwise do not differ") }
    for line in changes.lines { checkLine(line.shown) }

    // The runs of a difference are the two texts.
    let runs = Difference<String>.diff(before, after)
    expect(runs.filter { $0.which != .second }.flatMap(\.elements) == before, "the old text is not in the difference")
    expect(runs.filter { $0.which != .first }.flatMap(\.elements) == after, "the new text is not in the difference")
    expect(runs.contains { $0.which != .both } == (before != after), "a difference without a change")
    let unified = Difference<String>.diff(
        old: before.joined(separator: "\n"),
        new: after.joined(separator: "\n"),
        linesOfContext: 2
    )
    expect((unified == nil) == (before == after), "a unified difference of equal texts")
    let compared = ValueDifference.text(expected: old, actual: new)
    expect(!compared.isEmpty, "a comparison without words")

    checkEscapes(String(decoding: input, as: UTF8.self))
}

private func lines(_ value: PrintedValue) -> [String] {
    dumpToString(value).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

/// No text from outside looks like a line of its own.
private func checkLine(_ line: String) {
    let bad = line.unicodeScalars.first { scalar in
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value || scalar == "\u{2028}" || scalar == "\u{2029}"
            || scalar == "\u{202E}"
    }
    expect(bad == nil, "a line with U+\(String(bad?.value ?? 0, radix: 16))")
}

private func checkEscapes(_ text: String) {
    let escaped = escapedForLog(text)
    checkLine(escaped)
    expect(escapedForLog(escaped) == escaped, "escaped twice, it is not the same")
    let quoted = LogText(quoting: text)
    checkLine(quoted.shown)
    expect(quoted.unescaped ?? quoted.shown == "\"\(text)\"", "a quoted text has lost something")
    _ = LogText(described: text).redacted { $0.replacing("secret", with: "…") }
}

/// A value of several shapes.
struct PrintedValue: Hashable {
    enum Shape: Hashable {
        case empty
        case text(String)
        case number(Int32, label: String)
        indirect case nested(PrintedValue)
    }

    var name = ""
    var shape = Shape.empty
    var list: [String] = []
    var table: [String: Int32] = [:]
    var members: Set<String> = []
    var optional: String??

    init(_ choices: inout Choices, depth: Int = 0) {
        name = Self.text(&choices)
        for _ in 0..<(choices.byte() % 4) { list.append(Self.text(&choices)) }
        for _ in 0..<(choices.byte() % 4) { table[Self.text(&choices)] = Int32(bitPattern: choices.word()) }
        for _ in 0..<(choices.byte() % 4) { members.insert(Self.text(&choices)) }
        switch choices.byte() % 3 {
        case 0: optional = nil
        case 1: optional = .some(nil)
        default: optional = Self.text(&choices)
        }
        switch choices.byte() % 4 {
        case 0: shape = .empty
        case 1: shape = .text(Self.text(&choices))
        case 2: shape = .number(Int32(bitPattern: choices.word()), label: Self.text(&choices))
        default: shape = depth > 4 ? .empty : .nested(PrintedValue(&choices, depth: depth + 1))
        }
    }

    private static func text(_ choices: inout Choices) -> String { choices.text(Int(choices.byte() % 12)) }
}

@Sendable private func textSeeds() -> [(name: String, bytes: [UInt8])] {
    let some: [UInt8] = [
        3, 97, 98, 99, 2, 1, 120, 2, 10, 34, 1, 1, 121, 0, 0, 0, 7, 2, 1, 109, 2, 92, 110, 2, 1, 115, 1,
    ]
    return [
        ("empty", []), ("some", some + [2, 13, 27] + [1] + some.reversed()), ("same", some + [2, 0, 0, 0]),
        ("nested", [1, 97, 0, 0, 0, 1, 3] + some), ("marks", Array("a\u{2028}\u{202E}\"\\u{1b}\"\r\nsecret".utf8)),
    ]
}
