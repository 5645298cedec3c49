// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceJournal
import MillraceRecords

/// Groups of actions that are written and synced, beside the same number of bytes from memory.
struct Groups {
    let path: String
    let actions: Int
    /// Whether segments of the usual size are written, and zeros ahead of them meanwhile; else one large segment.
    var rotates = false

    struct Figures {
        let actions: Int
        let rotates: Bool
        let bytes: Int
        let rawSync: Double
        let raw: Double
        let writer: Double
        let encoding: Double
        let ratio: (low: Double, middle: Double, high: Double)

        func print() {
            let target = actions == 1 ? 0.95 : 0.8
            let verdict = rotates ? "with new segments" : "≥ \(target) \(ratio.middle >= target ? "passes" : "MISSED")"
            Swift.print(
                text(Double(actions), 7, 0),
                text(Double(bytes), 8, 0),
                text(rawSync / 1000, 11) + " µs",
                text(raw, 11),
                text(writer, 13),
                "  \(text(ratio.middle, 5, 2)) (\(text(ratio.low, 4, 2))-\(text(ratio.high, 4, 2)))",
                "     \(verdict), \(text(encoding, 0)) ns"
            )
        }
    }

    func measure(pairs: Int) throws -> Figures {
        let codec = try BitwiseCodec<JournalBench.Order>(version: 1)
        let folder = try DiskFolder(path: "\(path)/groups-\(actions)-\(rotates)", create: true)
        let bytes = 64 + actions * 88
        let rounds = max(40, min(200, (24 << 20) / bytes))
        var options = JournalOptions()
        if !rotates {
            options.segmentBytes = max(64 << 20, (pairs + 2) * rounds * bytes)
            options.preparesAhead = false
        }
        let recovery = try JournalRecovery(folder, options: options)
        var writer = try recovery.finish([codec.schema])
        let raw = try RawFile(folder, bytes: max(64 << 20, (pairs + 1) * rounds * bytes))
        var syncs: [Double] = []
        var encoding = 0.0
        var figures: [(raw: Double, writer: Double)] = []
        for pair in 0...pairs {
            var times = [0.0, 0.0]
            // Who begins changes from pair to pair.
            for side in pair % 2 == 0 ? [0, 1] : [1, 0] {
                for _ in 0..<rounds {
                    if side == 0 {
                        let time = try nanoseconds { try raw.writeAndSync(bytes) }
                        syncs.append(time)
                        times[0] += time
                    } else {
                        times[1] += try nanoseconds {
                            let start = processorTime()
                            for _ in 0..<actions {
                                let head = RecordHead(
                                    sequence: writer.frame.nextSequence,
                                    time: ActionTime(nanosecondsSince1970: 1)
                                )
                                try writer.frame.append(JournalBench.Order(), head, by: codec)
                            }
                            encoding += processorTime() - start
                            try writer.write()
                            try writer.sync()
                        }
                    }
                }
            }
            // The first pair warms up.
            if pair > 0 { figures.append((times[0], times[1])) }
        }
        let megabytes = Double(rounds * bytes) / 1e6
        try writer.close()
        return Figures(
            actions: actions,
            rotates: rotates,
            bytes: bytes,
            rawSync: quartiles(syncs).middle,
            raw: quartiles(figures.map { megabytes / ($0.raw / 1e9) }).middle,
            writer: quartiles(figures.map { megabytes / ($0.writer / 1e9) }).middle,
            encoding: encoding / Double((pairs + 1) * rounds * actions),
            ratio: quartiles(figures.map { $0.raw / $0.writer })
        )
    }
}

/// A file full of zeros that is written from its start, by the calls of the system alone.
final class RawFile {
    private let file: DiskFile
    private let memory: UnsafeMutableRawBufferPointer
    private var offset = 0

    init(_ folder: DiskFolder, bytes: Int) throws {
        file = try folder.create("raw")
        memory = .allocate(byteCount: 1 << 20, alignment: 4096)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        for place in stride(from: 0, to: bytes, by: memory.count) {
            try file.write(UnsafeRawBufferPointer(memory), at: place)
        }
        try file.sync()
        for byte in memory.indices { memory[byte] = UInt8(truncatingIfNeeded: byte) }
    }

    deinit {
        memory.deallocate()
    }

    func writeAndSync(_ bytes: Int) throws {
        try file.write(UnsafeRawBufferPointer(rebasing: memory[..<bytes]), at: offset)
        try file.sync()
        offset += bytes
    }
}
