// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import Testing

/// A small app's actions, of every shape that a bitwise codec takes.
enum Order: BitwiseCopyable, Equatable {
    case placed(id: UInt64, cents: Int32, side: Side)
    case moved(Price?, by: Price)
    case flagged(Bool)
    case named(Unicode.Scalar)
    case tick
    case closed
}

enum Side: UInt8, BitwiseCopyable, Equatable { case buy, sell, none }

struct Price: BitwiseCopyable, Equatable {
    var scale: UInt8
    var units: Int64
    var isFinal: Bool
}

let orders: [Order] = [
    .placed(id: 7, cents: -3, side: .sell), .moved(nil, by: Price(scale: 1, units: .min, isFinal: true)),
    .moved(Price(scale: 2, units: 9, isFinal: false), by: Price(scale: 3, units: .max, isFinal: true)),
    .flagged(true), .flagged(false), .named("é"), .tick, .closed,
]

/// The root of the package.
let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

/// Calls `body` with a folder that is removed afterwards.
func withFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("millrace-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
}

/// Runs a program and returns its status and what it printed.
func run(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> (Int32, String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}

/// Compares what the reader of this library finds in a file with what `scripts/read-journal.py` prints.
func expectPythonAgrees(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let script = root.appendingPathComponent("scripts/read-journal.py").path
    let (_, printed) = try run("/usr/bin/env", ["python3", script, path], environment: ["PYTHONIOENCODING": "utf-8"])
    let lines = printed.split(separator: "\n").map(String.init)
    #expect(lines == (try jsonLines(path)), sourceLocation: sourceLocation)
}

/// A file as JSON lines, by this library.
func jsonLines(_ path: String) throws -> [String] {
    var reader = try FrameReader(path: path)
    let header = reader.header
    var lines = [
        try json([
            "journal": header.journal.description, "epoch": header.epoch, "firstSequence": header.firstSequence,
            "created": header.created.nanosecondsSince1970, "purpose": header.purpose.rawValue,
            "types": header.types.map { type in
                [
                    "name": type.name, "version": type.version, "encoding": type.encoding.rawValue,
                    "fingerprint": CanonicalHash(rawValue: type.fingerprint).description,
                ] as [String: Any]
            },
            "kinds": header.kinds.map {
                ["name": $0.name, "type": $0.type, "role": $0.role.rawValue] as [String: Any]
            },
        ])
    ]
    var last = header.firstSequence - 1
    do {
        while let record = try reader.next() {
            var line: [String: Any] = ["offset": record.offset, "time": record.head.time.nanosecondsSince1970]
            if record.head.cause != .none {
                let cause = record.head.cause
                line["cause"] = [
                    "parent": cause.parent, "root": cause.root, "parentShard": cause.parentShard,
                    "rootShard": cause.rootShard,
                ]
            }
            if let source = record.head.source {
                line["source"] =
                    [
                        "file": source.file, "function": source.function, "line": source.line,
                        "info": source.info ?? NSNull(),
                    ] as [String: Any]
            }
            switch record.content {
            case .end(let hash, let actions):
                line["hash"] = CanonicalHash(rawValue: hash).description
                line["actions"] = actions
            case .reserved: continue  // Of journals only: MillraceJournalTests.
            case .action, .state:
                line["kind"] = reader.kind(of: record)!.name
                line["bytes"] = record.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            if case .action = record.content {
                line["sequence"] = record.head.sequence
                last = record.head.sequence
            }
            lines.append(try json(line))
        }
    } catch RecordFileError.damaged(_, let offset, _, _, let reason) {
        return lines + [try json(["end": "damaged", "offset": offset, "reason": reason])]
    }
    switch reader.end! {
    case .ended(let offset): lines.append(try json(["end": "ended", "offset": offset, "lastSequence": last]))
    case .open(let offset): lines.append(try json(["end": "open", "offset": offset, "lastSequence": last]))
    case .torn(let tail):
        lines.append(try json(["end": "torn", "offset": tail.offset, "lastSequence": tail.lastSequence]))
    }
    return lines
}

private func json(_ object: [String: Any]) throws -> String {
    let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
    return String(decoding: data, as: UTF8.self)
}
