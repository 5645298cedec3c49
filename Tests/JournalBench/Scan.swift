// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import MillraceJournal
import MillraceRecords

/// A journal that is read again, beside its bytes read one after the other.
struct Scan {
    let path: String
    let actions: Int

    func measure(pairs: Int) throws {
        for group in [46, 744] {
            let folder = try DiskFolder(path: "\(path)/scan-\(group)", create: true)
            let codec = try BitwiseCodec<JournalBench.Order>(version: 1)
            let recovery = try JournalRecovery(folder)
            var writer = try recovery.finish([codec.schema])
            var left = actions
            while left > 0 {
                for _ in 0..<min(group, left) {
                    let head = RecordHead(
                        sequence: writer.frame.nextSequence,
                        time: ActionTime(nanosecondsSince1970: 1)
                    )
                    try writer.frame.append(JournalBench.Order(), head, by: codec)
                }
                left -= min(group, left)
                try writer.write()
            }
            try writer.close()

            let names = try folder.names().filter { $0.hasSuffix(".mrj") }.sorted()
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
            defer { memory.deallocate() }
            var figures: [(read: Double, scan: Double)] = []
            var bytes = 0
            for pair in 0...pairs {
                let read = try nanoseconds {
                    bytes = 0
                    for name in names {
                        let file = try folder.open(name, forWriting: false)
                        var offset = 0
                        while case let count = try file.read(at: offset, into: memory), count > 0 { offset += count }
                        bytes += offset
                    }
                }
                var sum: UInt64 = 0
                let scan = try nanoseconds {
                    let reader = try JournalReader(folder)
                    while let record = try reader.next() {
                        guard case .action = record.content else { continue }
                        sum &+= try codec.decode(record.bytes, route: 0).words.0
                    }
                }
                guard sum == UInt64(actions) else { throw JournalError.closed(path: "\(sum) actions in \(path)") }
                // The first pair warms up.
                if pair > 0 { figures.append((read, scan)) }
            }
            let ratio = quartiles(figures.map { $0.read / $0.scan })
            let scan = quartiles(figures.map(\.scan)).middle
            print(
                "\(group) actions a frame, \(bytes >> 20) MiB in \(names.count) segments:",
                "read \(text(Double(bytes) / quartiles(figures.map(\.read)).middle, 0, 2)) GB/s,",
                "scan \(text(Double(bytes) / scan, 0, 2)) GB/s, \(text(scan / Double(actions), 0)) ns an action,",
                "ratio \(text(ratio.middle, 0, 2)) (\(text(ratio.low, 0, 2))-\(text(ratio.high, 0, 2))); target ≥ 0.8"
            )
        }
    }
}
