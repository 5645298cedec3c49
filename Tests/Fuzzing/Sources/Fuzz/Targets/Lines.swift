// SPDX-License-Identifier: Apache-2.0

@testable import MillraceTool

/// Lines of a log, in each layout. The first byte chooses the layout; with a template the first line is the layout, with
/// W3C the columns.
let linesTarget = FuzzTarget(name: "lines", mostBytes: 2048, seeds: lineSeeds) { input in
    var choices = Choices(input)
    let choice = choices.byte() % 8
    var lines = choices.rest().split(separator: Byte.newline, omittingEmptySubsequences: false).map(Array.init)
    if choice == 7 {
        checkDetection(lines)
        return
    }
    guard let format = layout(choice, &lines) else { return }
    for line in lines where !line.contains(0) {
        if choice < 5 { checkKnown(line, format.format) } else { checkLaidOut(line, format.format, format.fields) }
    }
}

private func layout(_ choice: UInt8, _ lines: inout [[UInt8]]) -> (format: LogFormat, fields: [UInt8]?)? {
    switch choice {
    case 0...4: return (.known(LogFormat.Known.allCases[Int(choice)]), nil)
    case 5:
        guard let first = lines.first, let format = try? LogFormat(argument: String(decoding: first, as: UTF8.self))
        else { return nil }
        switch format {
        case .auto, .known: return nil
        default: break
        }
        lines.removeFirst()
        return (format, nil)
    default:
        guard let first = lines.first, first.first == UInt8(ascii: "#") else { return (.json(.usual), nil) }
        lines.removeFirst()
        return (.w3c(nil), first)
    }
}

private func checkKnown(_ line: [UInt8], _ format: LogFormat) {
    let found = ReadLine(line, format)
    for byte in [UInt8(0), Byte.space, 0xFF, Byte.zero] {
        expect(ReadLine(line, format, padding: byte) == found, "what follows the line matters: \(line)")
    }
    guard case .event(let event) = found else { return }
    if case .known(let known) = format, known == .common || known == .combined {
        expect(ReadLine(line, .known(.either)) == found, "\(known) accepts what either does not")
    }
    guard case .known(let known) = format, let printed = event.combined(site: known == .vhostCombined) else { return }
    let again = ReadLine(printed, known == .common || known == .either ? .combined : format)
    expect(again.common == event.common, "printed and parsed again: \(event) became \(again)")
}

private func checkLaidOut(_ line: [UInt8], _ format: LogFormat, _ fields: [UInt8]?) {
    let found = ReadLine(line, format, fields: fields)
    for byte in [UInt8(0), Byte.space, 0xFF, Byte.zero] {
        let again = ReadLine(line, format, fields: fields, padding: byte)
        expect(again == found, "what follows the line matters: \(line)")
    }
    guard case .event(let event) = found, let printed = event.json else { return }
    let again = ReadLine(printed, .json(.usual))
    expect(again.common == event.common, "printed and parsed again: \(event) became \(again)")
}

/// The layout that is found out must fit a line, and must not depend on what follows the text.
private func checkDetection(_ lines: [[UInt8]]) {
    let text = Array(lines.joined(separator: [Byte.newline]))
    let found = [UInt8(0), Byte.newline, 0xFF].map { byte in
        (text + [UInt8](repeating: byte, count: ByteSearch.padding)).withUnsafeBufferPointer {
            FormatDetector.format(of: .init(start: $0.baseAddress, count: text.count))
        }
    }
    expect(found.allSatisfy { $0 == found[0] }, "what follows the text matters")
    guard let format = found[0], format != .w3c(nil) else { return }
    let mark = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let fits = text.dropFirst(mark).split(separator: Byte.newline).contains { line in
        guard !line.contains(0), case .event = ReadLine(Array(line), format) else { return false }
        return true
    }
    expect(fits, "'\(format)' was found, and fits no line")
}

@Sendable private func lineSeeds() -> [(name: String, bytes: [UInt8])] {
    let combined = #"10.0.0.1 - - [17/May/2015:10:05:03 +0200] "GET /a?b=1 HTTP/1.1" 200 17 "http://r/" "agent \"x\"""#
    let common = #"10.0.0.1 - ada [17/May/2015:10:05:03 +0000] "POST /a HTTP/1.0" 404 -"#
    let json =
        #"{"time_iso8601":"2015-05-17T10:05:03+02:00","remote_addr":"1.2.3.4","request":{"uri":"/a\u0041"},"status":200}"#
    let w3c =
        "#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status sc-bytes cs(User-Agent)\n"
        + "2015-05-17 10:05:03 1.2.3.4 GET /a b=1 200 17 agent"
    let template =
        #"$remote_addr [$time_local] "$request" $status $body_bytes_sent $msec"#
        + "\n" + #"1.2.3.4 [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 17 1431857103.123"#
    let texts: [(String, UInt8, String)] = [
        ("either", 0, common), ("common", 1, common), ("combined", 2, combined), ("nginx", 3, combined + " 0.003"),
        ("vhost", 4, "site:80 " + combined), ("template", 5, template), ("w3c", 6, w3c), ("json", 6, json),
        ("json-escapes", 6, json.replacing("/a", with: #"\x41\ud83d\ude00"#)),
        ("detect", 7, combined + "\n" + common + "\n"), ("detect-json", 7, json + "\n"),
        ("cut", 2, String(combined.prefix(60))), ("dash", 0, common.replacing("POST /a HTTP/1.0", with: "-")),
    ]
    return texts.map { ($0.0, [$0.1] + Array($0.2.utf8)) }
}
