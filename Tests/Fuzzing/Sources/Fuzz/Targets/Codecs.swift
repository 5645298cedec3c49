// SPDX-License-Identifier: Apache-2.0

@testable import MillraceRecords
@testable import MillraceTool

/// Actions and states of the journal of 'millrace run', as bytes. The first byte chooses: 0 one action; 1 a state; else
/// actions one after the other, each behind its length, which are reduced.
let codecsTarget = FuzzTarget(name: "codecs", mostBytes: 4096, seeds: codecSeeds) { input in
    var choices = Choices(input)
    switch choices.byte() % 3 {
    case 0: checkFixedPoint(choices.rest(), LogActionCodec())
    case 1:
        checkFixedPoint(choices.rest(), LogStateCodec())
    default: reduce(&choices)
    }
}

/// What is read is written as bytes that are read as the same.
private func checkFixedPoint<Codec: ActionCodec>(_ bytes: [UInt8], _ codec: Codec) {
    guard let value = decoded(bytes, codec) else { return }
    let written = encoded(value, codec)
    guard let again = decoded(written, codec) else { return expect(false, "what was written cannot be read") }
    expect(encoded(again, codec) == written, "what was read is written as something else")
}

private func decoded<Codec: ActionCodec>(_ bytes: [UInt8], _ codec: Codec) -> Codec.Action? {
    bytes.withUnsafeBytes { bytes in try? codec.decode(bytes, route: 0) }
}

private func encoded<Codec: ActionCodec>(_ value: Codec.Action, _ codec: Codec) -> [UInt8] {
    var output = RecordBuffer()
    do {
        try codec.encode(value, into: &output)
    } catch {
        expect(false, "what was read cannot be written: \(error)")
    }
    return output.withUnsafeBytes { Array($0) }
}

/// Every action that the codec reads can be reduced, and the state can be written.
private func reduce(_ choices: inout Choices) {
    var state = LogState(producers: 2, maximumKeys: 8)
    let codec = LogActionCodec()
    while !choices.isAtEnd {
        let count = Int(choices.byte())
        let bytes = (0..<count).map { _ in choices.byte() }
        guard let action = decoded(bytes, codec) else { continue }
        // The memory of a run is bounded by its --max-keys, of which the journal tells.
        if case .began(let run) = action, run.maximumKeys > 1000 { continue }
        LogJournal.reducer.reduce(action, &state)
        expect(!LogJournal.describe(action).contains("\n"), "an action is shown in two lines")
    }
    let written = encoded(state, LogStateCodec())
    guard let again = decoded(written, LogStateCodec()) else { return expect(false, "a state cannot be read again") }
    expect(encoded(again, LogStateCodec()) == written, "a state is read as another one")
}

@Sendable private func codecSeeds() -> [(name: String, bytes: [UInt8])] {
    let run = RunDescription(
        producers: 2,
        maximumKeys: 8,
        format: "auto",
        repetitions: 1,
        inputs: [.init(name: "a", bytes: 3, checksum: 4)]
    )
    let key = KeyText(bytes: Array("2015-05-17T10:05Z".utf8))
    let alert = Alert(text: key, events: 9, failures: 3, minute: 1)
    let actions: [LogAction] = [
        .began(run), .define(KeyDefinition(text: key, number: 1, producer: 1, dimension: .minute)),
        .define(KeyDefinition(text: KeyText(bytes: [0x2F]), number: 1, producer: 1, dimension: .path)),
        .event(AccessEvent(size: 7, host: 0, path: 1, minute: 1, method: 0, status: 404, producer: 1)),
        .malformed(MalformedLine(chunk: 0, line: 2, reason: .time)),
        .alert(alert), .chunkRead(ChunkSummary(chunk: 0, lines: 3, input: 0, pass: 0)), .recovered(alert), .inputEnded,
    ]
    var state = LogState(producers: 1, maximumKeys: 1)
    var all: [UInt8] = [2]
    var seeds: [(name: String, bytes: [UInt8])] = []
    for (number, action) in actions.enumerated() {
        LogJournal.reducer.reduce(action, &state)
        let bytes = encoded(action, LogActionCodec())
        all += [UInt8(bytes.count)] + bytes
        seeds.append(("action-\(number)", [0] + bytes))
    }
    return seeds + [("state", [1] + encoded(state, LogStateCodec())), ("actions", all)]
}
