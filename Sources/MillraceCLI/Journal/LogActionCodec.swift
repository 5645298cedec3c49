// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceRecords

/// Writes the actions of `millrace run` into its journal, and reads them.
struct LogActionCodec: ActionCodec {
    let schema = RecordSchema(
        type: RecordType(name: "LogAction", version: 1, encoding: .custom),
        kinds: ["event", "define", "malformed", "chunkRead", "inputEnded", "alert", "recovered", "began"]
    )

    func kind(of action: LogAction) -> Int {
        switch action {
        case .event: 0
        case .define: 1
        case .malformed: 2
        case .chunkRead: 3
        case .inputEnded: 4
        case .alert: 5
        case .recovered: 6
        case .began: 7
        }
    }

    func encode(_ action: LogAction, into output: inout RecordBuffer) throws(CodecError) {
        // The bytes say themselves what they are: a route does not know the kind.
        output.append(UInt8(kind(of: action)))
        switch action {
        case .event(let event): event.write(to: &output)
        case .define(let definition): definition.write(to: &output)
        case .malformed(let line): line.write(to: &output)
        case .chunkRead(let chunk): chunk.write(to: &output)
        case .inputEnded: break
        case .alert(let alert), .recovered(let alert): alert.write(to: &output)
        case .began(let run): try run.write(to: &output)
        }
    }

    func decode(_ memory: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> LogAction {
        var bytes = StateBytes(memory, of: schema.type.name)
        let action: LogAction
        switch try bytes.next() as UInt8 {
        case 0: action = .event(try AccessEvent(&bytes))
        case 1: action = .define(try KeyDefinition(&bytes))
        case 2: action = .malformed(try MalformedLine(&bytes))
        case 3: action = .chunkRead(try ChunkSummary(&bytes))
        case 4: action = .inputEnded
        case 5: action = .alert(try Alert(&bytes))
        case 6: action = .recovered(try Alert(&bytes))
        case 7: action = .began(try RunDescription(&bytes))
        case let kind: throw bytes.damaged("the unknown kind \(kind)")
        }
        try bytes.end()
        return action
    }
}

/// Writes the state of `millrace run` into a snapshot, and reads it.
struct LogStateCodec: ActionCodec {
    let schema = RecordSchema(
        type: RecordType(name: "LogState", version: 2, encoding: .custom),
        kinds: ["LogState"]
    )

    /// The route of snapshots without the figures of the page.
    private static let withoutTraffic = 1

    func kind(of state: LogState) -> Int { 0 }

    func route(for kind: String, of type: RecordType) throws(CodecError) -> Int? {
        guard schema.kinds.contains(kind) else { return nil }
        let old = RecordType(name: schema.type.name, version: 1, encoding: .custom)
        if type == old { return Self.withoutTraffic }
        try schema.type.check(kind, of: type)
        return 0
    }

    func encode(_ state: LogState, into output: inout RecordBuffer) throws(CodecError) {
        output.append(state.run == nil ? 0 as UInt8 : 1)
        if let run = state.run { try run.write(to: &output) }
        state.write(to: &output)
    }

    func decode(_ memory: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> LogState {
        var bytes = StateBytes(memory, of: schema.type.name)
        let run = try bytes.next() as UInt8 == 1 ? try RunDescription(&bytes) : nil
        let state = try LogState(&bytes, run: run, hasTraffic: route != Self.withoutTraffic)
        try bytes.end()
        return state
    }
}

extension RunDescription {
    /// Writes JSON with its length before it.
    func write(to output: inout RecordBuffer) throws(CodecError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data = try encoder.encode(self)
            output.append(UInt32(data.count))
            data.withUnsafeBytes { output.append($0) }
        } catch {
            throw .notEncodable(type: "RunDescription", reason: "\(error)")
        }
    }

    init(_ bytes: inout StateBytes) throws(CodecError) {
        let json = try bytes.bytes(Int(try bytes.next() as UInt32))
        do {
            self = try JSONDecoder().decode(RunDescription.self, from: Data(json))
        } catch {
            throw bytes.damaged("\(error)")
        }
        guard 1...RunCommand.maximumProducers ~= producers, 1...RunCommand.maximumKeys ~= maximumKeys,
            1...StoreSetup.maximumShards ~= shards ?? 1
        else {
            throw bytes.damaged("no run has such options")
        }
    }
}
