// SPDX-License-Identifier: Apache-2.0

import CBenchCrew
import Millrace
import MillraceJournal
import MillraceRecords

/// Longer actions beside the calls of the system that write as many bytes: a curve of P3.
@MainActor
struct JournalMessages {
    let disk: BenchDisk
    let pairing: Pairing

    /// An action whose bytes are in an array, as those of a message from a network.
    struct Message: Sendable {
        var bytes: [UInt8]
    }

    struct MessageCodec: ActionCodec {
        let schema = RecordSchema(type: RecordType(name: "Message", version: 1, encoding: .custom), kinds: ["Message"])

        func kind(of action: Message) -> Int { 0 }

        func encode(_ action: Message, into output: inout RecordBuffer) throws(CodecError) {
            action.bytes.withUnsafeBytes { output.append($0) }
        }

        func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> Message {
            Message(bytes: Array(bytes))
        }
    }

    private typealias Store = ReduxStoreBase<Message, OrderCount>

    func measure() async throws -> [Row] {
        var rows: [Row] = []
        for size in [64, 256, 1_024, 4_096] {
            pairing.progress.show("P3 with \(size) bytes")
            rows += try await measure(size)
        }
        return rows
    }

    /// A store that writes each message, beside `write` and `fdatasync` of groups as large as the store's.
    private func measure(_ size: Int) async throws -> [Row] {
        let journal = try Journal<Message>(directory: disk.name("messages"), codec: MessageCodec(), capacity: 65_536)
        let store = try await Store(
            recovering: journal,
            initialState: OrderCount(),
            reducer: .reduce { message, state in state.count &+= UInt64(message.bytes.count) }
        )
        // Each run writes about 64 MB.
        let share = min(0.5, Double(64 << 20) / Double(size) / Double(pairing.operations))
        let batch = Array(repeating: Message(bytes: Array(repeating: 7, count: size)), count: 256)
        let journaled = Contender("an action of \(size) bytes", share: share) { operations in
            let start = bench_now()
            for _ in 0..<operations / batch.count { store.dispatch(contentsOf: batch) }
            store.dispatch(contentsOf: batch.prefix(operations % batch.count))
            try await store.journaled()
            return bench_now() - start
        }
        let group = try await pairing.groupSize(journal, journaled)
        let overhead = JournaledOrder.recordBytes - MemoryLayout<JournaledOrder>.size
        let bytes = JournaledOrder.frameBytes + group * (overhead + size)
        let groups = max(1, journaled.scaled(pairing.operations) / group)
        let file = try RawFile(disk, bytes: groups * bytes)
        let raw = Contender("  write + fdatasync of \(group) such actions", share: share) { operations in
            let time = try file.write(groups: groups, of: bytes, syncs: true)
            return time * UInt64(operations) / UInt64(groups * group)
        }
        let outcome = try await pairing.measure(journaled, against: [raw])
        _ = await store.shutdown()
        guard let outcome else { throw BenchmarkError.noMemory("samples") }
        return [
            Row(journaled.name, time: outcome.subject),
            Row(raw.name, time: outcome.rivals[0].time, ratio: outcome.rivals[0].ratio),
        ]
    }
}
