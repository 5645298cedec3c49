// SPDX-License-Identifier: Apache-2.0

@testable import MillraceRecords
@testable import MillraceTool

/// Actions and states of the journal of 'millrace run', as bytes. The first byte chooses: 0 one action; 1 a state; 2
/// actions one after the other, each behind its length, which are reduced; 3 a state without the counts of its statuses,
/// which are most of its bytes; 4 actions whose numbers are at a limit or beside it, a byte for each.
let codecsTarget = FuzzTarget(name: "codecs", mostBytes: 8192, seeds: codecSeeds) { input in
    var choices = Choices(input)
    switch choices.byte() % 5 {
    case 0: checkFixedPoint(choices.rest(), LogActionCodec())
    case 1:
        checkState(choices.rest())
    case 2: reduce(&choices)
    case 3: checkStates(choices.rest())
    default: reduceEdges(&choices)
    }
}

/// What is read is written as bytes that are read as the same.
private func checkFixedPoint<Codec: ActionCodec>(_ bytes: [UInt8], _ codec: Codec) {
    guard let value = decoded(bytes, codec) else { return }
    let written = encoded(value, codec)
    guard let again = decoded(written, codec) else { return expect(false, "what was written cannot be read") }
    expect(encoded(again, codec) == written, "what was read is written as something else")
}

/// Events and definitions whose numbers a fuzzer does not guess: those that the codec reads can be reduced.
private func reduceEdges(_ choices: inout Choices) {
    var state = LogState(producers: 2, maximumKeys: 8, hasPage: true)
    func edge<Number: FixedWidthInteger>() -> Number {
        let edges: [UInt64] = [0, 1, 2, 7, 8, 9, 404, 599, 600, UInt64(Number.max)]
        return Number(truncatingIfNeeded: edges[Int(choices.byte()) % edges.count])
    }
    while !choices.isAtEnd {
        let action: LogAction
        if choices.byte() % 2 == 0 {
            action = .event(
                AccessEvent(
                    size: edge(),
                    host: edge(),
                    path: edge(),
                    minute: edge(),
                    client: edge(),
                    method: edge(),
                    status: edge(),
                    producer: edge()
                )
            )
        } else {
            let dimension = KeyDimension.allCases[Int(choices.byte()) % KeyDimension.allCases.count]
            let text = KeyText(bytes: Array(choices.text(3).utf8))
            action = .define(KeyDefinition(text: text, number: edge(), producer: edge(), dimension: dimension))
        }
        guard let read = decoded(encoded(action, LogActionCodec()), LogActionCodec()) else { continue }
        LogJournal.reducer.reduce(read, &state)
    }
}

/// The bytes of a state, with the counts of its statuses put in.
private func withStatuses(_ bytes: [UInt8]) -> [UInt8] {
    // Before them are whether there is a run, the run behind its length, and five sums.
    var place = 1 + 5 * 8
    if bytes.first == 1, bytes.count >= 5 { place += 4 + bytes[1...4].reversed().reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.count >= place else { return bytes }
    var state = bytes
    state.insert(contentsOf: [UInt8](repeating: 0, count: 601 * 8), at: place)
    state.replaceSubrange(place..<place + 2, with: [UInt8(600 & 255), UInt8(600 >> 8)])
    return state
}

/// Checks a state, and the states of which one of eight bytes is one higher: an index may then be beyond its table. A
/// hash of the state chooses the bytes, so that each input has others.
private func checkStates(_ bytes: [UInt8]) {
    guard decoded(withStatuses(bytes), LogStateCodec()) != nil else { return }
    checkState(withStatuses(bytes))
    let hash = bytes.reduce(0 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let place = Int(hash >> 32) % bytes.count
    for changed in place..<min(place + 8, bytes.count) {
        var near = bytes
        near[changed] &+= 1
        checkState(withStatuses(near))
    }
}

/// A state that is read is written as the same one, and a run goes on from it.
private func checkState(_ bytes: [UInt8]) {
    checkFixedPoint(bytes, LogStateCodec())
    guard var state = decoded(bytes, LogStateCodec()) else { return }
    let reducer = LogJournal.reducer
    let key = KeyText(bytes: Array("2015-05-17T10:06Z".utf8))
    for producer in 0..<3 as Range<UInt16> {
        for number in 0..<5 as Range<UInt32> {
            let (method, status) = (UInt16(number), number == 2 ? 404 : 200 as UInt16)
            let event = AccessEvent(
                size: 1,
                host: number,
                path: number,
                minute: number,
                client: number,
                method: method,
                status: status,
                producer: producer
            )
            reducer.reduce(.event(event), &state)
        }
    }
    // Last, because a table that grows hides an index beyond its end.
    reducer.reduce(.define(KeyDefinition(text: key, number: 1, producer: 0, dimension: .minute)), &state)
    reducer.reduce(.chunkRead(ChunkSummary(chunk: 0, lines: 1, input: 0, pass: 0)), &state)
    reducer.reduce(.inputEnded, &state)
    expect(decoded(encoded(state, LogStateCodec()), LogStateCodec()) != nil, "a continued state cannot be read")
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
        if case .began(let run) = action, 1001...RunCommand.maximumKeys ~= run.maximumKeys { continue }
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
    let whole = encoded(state, LogStateCodec())
    let statuses = 1 + 4 + Int(whole[1]) + 5 * 8
    var page = LogState(producers: 2, maximumKeys: 8, hasPage: true)
    for (dimension, text) in zip(KeyDimension.allCases, ["h", "/", "2015-05-17T10:05Z", "GET", "a"]) {
        page.define(KeyDefinition(text: KeyText(bytes: Array(text.utf8)), number: 1, producer: 1, dimension: dimension))
    }
    let event = AccessEvent(size: 7, host: 1, path: 1, minute: 1, client: 1, method: 1, status: 200, producer: 1)
    LogJournal.reducer.reduce(.event(event), &page)
    let withPage = encoded(page, LogStateCodec())
    func short(_ bytes: [UInt8], _ place: Int) -> [UInt8] { [3] + bytes[..<place] + bytes[(place + 601 * 8)...] }
    return seeds + [
        ("state", [1] + whole), ("actions", all), ("state-short", short(whole, statuses)),
        ("page-short", short(withPage, 41)), ("edges", [4] + (0..<22).map { UInt8($0 & 1) }),
    ]
}
