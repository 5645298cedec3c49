// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceRecords
import Testing

/// Files that earlier versions of the library wrote must stay readable. `MILLRACE_WRITE_GOLDEN=1` writes those of a new
/// version of the format; existing ones never change.
@Suite struct GoldenTests {
    private struct Totals: Codable, Equatable { var cents: [String: Int] }
    private enum Sale: Codable, Equatable { case sold(String, cents: Int), refunded(String) }

    private var folder: URL { root.appendingPathComponent("Tests/MillraceRecordsTests/Golden") }

    private func head(_ sequence: UInt64) -> RecordHead {
        RecordHead(
            sequence: sequence,
            cause: sequence == 103 ? ActionCause(parent: 102, root: 101, parentShard: 1, rootShard: 0) : .none,
            time: ActionTime(nanosecondsSince1970: 1_700_000_000_000_000_000 + Int64(sequence)),
            source: sequence % 2 == 0
                ? nil : ActionSource(file: "Shop/Till.swift", function: "sell()", line: 12, info: "é")
        )
    }

    @Test func actionsOfVersion1AreRead() throws {
        let codec = try BitwiseCodec<Order>(version: 1)
        let path = folder.appendingPathComponent("actions-v1.mrj").path
        if ProcessInfo.processInfo.environment["MILLRACE_WRITE_GOLDEN"] != nil {
            var writer = try FrameWriter(
                path: path,
                purpose: .segment,
                journal: JournalID(low: 1, high: 2),
                firstSequence: 101,
                codec: codec
            )
            for (index, order) in orders.enumerated() {
                try writer.append(order, head(UInt64(101 + index)))
                if index == 4 { try writer.flush(sync: true) }
            }
            try writer.finish()
        }
        var reader = try RecordReader(path: path, codec: codec)
        #expect(reader.frames.header.journal == JournalID(low: 1, high: 2) && reader.frames.header.epoch == 1)
        var count = 0
        while let recorded = try reader.next() {
            #expect(recorded.action == orders[count] && recorded.head == head(UInt64(101 + count)))
            count += 1
        }
        #expect(count == orders.count)
        guard case .ended = reader.frames.end else {
            Issue.record("\(String(describing: reader.frames.end))")
            return
        }
        try expectPythonAgrees(path)
    }

    @Test func aSessionOfVersion1IsRead() throws {
        let sales = [Sale.sold("tea", cents: 250), .sold("scones", cents: 475), .refunded("tea")]
        let sale = try CodableCodec<Sale>(version: 1)
        let totals = try CodableCodec<Totals>(version: 1)
        let reducer = Reducer<Sale, Totals>.reduce { sale, totals in
            switch sale {
            case .sold(let what, let cents): totals.cents[what, default: 0] += cents
            case .refunded(let what): totals.cents[what] = nil
            }
        }
        let path = folder.appendingPathComponent("session-v1.mrs").path
        var session = RecordedSession(
            initialState: Totals(cents: ["milk": 1]),
            actions: sales.enumerated().map { index, action in
                let kind = if case .sold = action { "sold" } else { "refunded" }
                return RecordedAction(head: head(UInt64(index + 1)), kind: kind, action: action)
            }
        )
        session.finalHash = try CanonicalHash(of: Totals(cents: ["milk": 1, "scones": 475]))
        if ProcessInfo.processInfo.environment["MILLRACE_WRITE_GOLDEN"] != nil {
            try SessionFile.write(session, to: path, actions: sale, states: totals)
        }
        let read = try SessionFile.read(path, actions: sale, states: totals)
        #expect(read == session)
        #expect(try read.replay(reducer).cents == ["milk": 1, "scones": 475])
        try expectPythonAgrees(path)
    }
}
