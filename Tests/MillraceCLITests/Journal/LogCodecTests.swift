// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceRecords
import Testing

@testable import MillraceCLI

@Suite struct LogCodecTests {
    private static let run = RunDescription(
        producers: 2,
        maximumKeys: 100,
        format: "auto",
        repetitions: 1,
        inputs: [.init(name: "a", bytes: 7, checksum: .max)]
    )
    private static let alert = Alert(text: KeyText(bytes: [0x61]), events: 9, failures: 4, minute: 3)
    private static let actions: [LogAction] = [
        .began(run),
        .define(KeyDefinition(text: KeyText(bytes: [0, 255, 10]), number: 1, producer: 1, dimension: .host)),
        .event(AccessEvent(size: .max, host: 1, path: 0, minute: 0, method: 0, status: 404, producer: 1)),
        .malformed(MalformedLine(chunk: 3, line: 7, reason: .json, input: 1)),
        .chunkRead(ChunkSummary(chunk: 1, lines: 5, input: 0, pass: 0, directives: 1)),
        .alert(alert), .recovered(alert), .inputEnded,
    ]

    private func bytes<Codec: ActionCodec>(_ value: Codec.Action, by codec: Codec) throws -> [UInt8] {
        var buffer = RecordBuffer()
        try codec.encode(value, into: &buffer)
        return buffer.withUnsafeBytes { Array($0) }
    }

    @Test(arguments: actions)
    func everyActionIsReadAsItWasWritten(_ action: LogAction) throws {
        let codec = LogActionCodec()
        let bytes = try bytes(action, by: codec)
        #expect(try bytes.withUnsafeBytes { try codec.decode($0, route: 0) } == action)
        #expect(codec.schema.kinds.indices.contains(codec.kind(of: action)))
        // Every shorter piece, and a byte more, is an error and no trap.
        for count in 0..<bytes.count {
            #expect(throws: CodecError.self) { try bytes[..<count].withUnsafeBytes { try codec.decode($0, route: 0) } }
        }
        #expect(throws: CodecError.self) { try (bytes + [0]).withUnsafeBytes { try codec.decode($0, route: 0) } }
    }

    /// Numbers and producers that were never defined: the bytes of a file may be anything.
    @Test func actionsWithoutTheirDefinitionsAreCountedAsOther() {
        var state = LogState(producers: 1, maximumKeys: 8)
        let actions: [LogAction] = [
            .event(AccessEvent(size: 1, host: 9, path: .max, minute: 3, method: .max, status: 500, producer: 0)),
            .event(AccessEvent(size: 1, host: 0, path: 0, minute: 0, method: 0, status: 200, producer: 7)),
            .define(KeyDefinition(text: KeyText(bytes: [1]), number: 1, producer: 7, dimension: .host)),
            .define(KeyDefinition(text: KeyText(bytes: [1]), number: .max, producer: 0, dimension: .path)),
            .chunkRead(ChunkSummary(chunk: 0, lines: 2, input: 0, pass: 0)),
        ]
        for action in actions { LogJournal.reducer.reduce(action, &state) }
        #expect(state.events == 2 && state.hosts.other == 2 && state.paths.other == 2 && state.methods.other == 2)
        #expect(state.hosts.distinct == 0 && state.paths.distinct == 0)
    }

    /// The list of changed minutes says how long its table is: four bytes must not ask for four gigabytes.
    @Test func aLongListOfMinutesIsRefused() throws {
        let codec = LogStateCodec()
        let written = try bytes(LogState(producers: 1, maximumKeys: 1), by: codec)
        // The last 18 bytes: the length of the table, the minute that was noted last, whether the run is complete, and
        // whether there is a page.
        for length in [UInt64(2), 1 << 32] {
            let forged =
                written.dropLast(18) + withUnsafeBytes(of: length.littleEndian) { Array($0) } + written.suffix(10)
            #expect(throws: CodecError.self) {
                try Array(forged).withUnsafeBytes { try codec.decode($0, route: 0) }
            }
        }
    }

    /// The snapshots of version 1 do not say whether there is a page.
    @Test func aStateOfVersion1IsRead() throws {
        let codec = LogStateCodec()
        var state = LogState(producers: 1, maximumKeys: 8)
        for action in Self.actions { LogJournal.reducer.reduce(action, &state) }
        let written = try bytes(state, by: codec)
        let type = RecordType(name: "LogState", version: 1, encoding: .custom)
        let route = try #require(try codec.route(for: "LogState", of: type))
        let read = try written.dropLast().withUnsafeBytes { try codec.decode($0, route: route) }
        #expect(try bytes(read, by: codec) == written)
        #expect(try codec.route(for: "LogState", of: codec.schema.type) == 0)
        let newer = RecordType(name: "LogState", version: 3, encoding: .custom)
        #expect(throws: CodecError.self) { try codec.route(for: "LogState", of: newer) }
    }

    @Test(arguments: [-1, 0, 1_000_000_001, .max])
    func aRunWithANumberOfKeysThatNoneCanHaveIsDamage(_ keys: Int) throws {
        let codec = LogActionCodec()
        let run = RunDescription(producers: 1, maximumKeys: keys, format: "auto", repetitions: 1, inputs: [])
        let bytes = try bytes(.began(run), by: codec)
        #expect(throws: CodecError.self) { try bytes.withUnsafeBytes { try codec.decode($0, route: 0) } }
    }

    /// What the older program refuses: it knows neither pages nor shards.
    @Test func theRulesTellOfPagesAndShards() {
        func rules(hasPage: Bool = false, shards: Int = 1) -> Int {
            RunDescription(
                producers: 1,
                maximumKeys: 1,
                format: "auto",
                repetitions: 1,
                inputs: [],
                hasPage: hasPage,
                shards: shards
            ).rules
        }
        #expect(rules() == 1 && rules(hasPage: true) == 2 && rules(shards: 2) == 2)
    }

    @Test(arguments: [false, true]) func aStateIsReadAsItWasWritten(_ hasPage: Bool) async throws {
        let scratch = Scratch()
        let path = try scratch.file("state.log", mutated(generatedLog(lines: 2_000, seed: 2), oneIn: 5, seed: 2))
        var state = try await analyse(path, producers: 3, hasPage: hasPage).state
        #expect((state.traffic != nil) == hasPage)
        state.raise(Self.alert)
        let codec = LogStateCodec()
        let written = try bytes(state, by: codec)
        let read = try written.withUnsafeBytes { try codec.decode($0, route: 0) }
        #expect(try CanonicalHash(of: read) == CanonicalHash(of: state))
        #expect(try bytes(read, by: codec) == written)
        // Random damage is an error or another state, never a trap.
        var random = SplitMix64(seed: 4)
        for _ in 0..<300 {
            var damaged = written
            damaged[Int(random.next() % UInt64(written.count))] = UInt8(truncatingIfNeeded: random.next())
            damaged.removeLast(Int(random.next() % 9))
            _ = try? damaged.withUnsafeBytes { try codec.decode($0, route: 0) }
        }
    }

}
