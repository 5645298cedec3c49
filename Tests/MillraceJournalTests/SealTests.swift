// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceJournal
import MillraceJournalTesting
import MillraceRecords
import TestSupport
import Testing

/// The actions of these tests. `tick` is about no customer.
enum Visit: Codable, Sendable, Equatable {
    case came(customer: String, phone: String)
    case tick(Int)
    case forgotten(String)
}

@Suite("Actions that are changed or sealed before they are written", .timeLimit(.minutes(5)))
struct SealTests {
    typealias Store = ReduxStoreBase<Visit, [Visit]>

    private static let noting = Reducer<Visit, [Visit]>.reduce { visit, visits in visits.append(visit) }

    /// Writes actions, and returns the bytes of all files.
    private func write<Codec: ActionCodec>(_ visits: [Visit], _ codec: Codec, _ disk: SlowDisk) async throws -> [UInt8]
    where Codec.Action == Visit {
        let store = try await Store(recovering: disk.journal(codec), initialState: [], reducer: Self.noting)
        store.dispatch(contentsOf: visits)
        try await store.journaled()
        _ = await store.shutdown()
        disk.disk.kill()
        return disk.disk.names.values.flatMap(\.stored)
    }

    private func read<Codec: ActionCodec>(_ codec: Codec, _ disk: SlowDisk) async throws -> [Visit]
    where Codec.Action == Visit {
        let store = try await Store(recovering: disk.journal(codec), initialState: [], reducer: Self.noting)
        _ = await store.shutdown()
        disk.disk.kill()
        return store.state
    }

    private let visits: [Visit] = [
        .came(customer: "c1", phone: "555-1234"), .tick(1), .came(customer: "c2", phone: "777"),
    ]

    @Test("what is redacted reaches no file")
    func redacts() async throws {
        let disk = SlowDisk()
        let plain = try CodableCodec<Visit>(version: 1)
        let codec = plain.redacting { visit in
            guard case .came(let customer, _) = visit else { return visit }
            return .came(customer: customer, phone: "")
        }
        let bytes = try await write(visits, codec, disk)
        #expect(!bytes.contains(Array("555-1234".utf8)) && bytes.contains(Array("c1".utf8)))
        #expect(
            try await read(plain, disk) == [
                .came(customer: "c1", phone: ""), .tick(1), .came(customer: "c2", phone: ""),
            ]
        )
    }

    @Test("a redaction to another kind is an error, not another action")
    func otherKind() throws {
        let codec = try CodableCodec<Visit>(version: 1).redacting { _ in .tick(0) }
        var buffer = RecordBuffer()
        #expect(throws: CodecError.self) { try codec.encode(visits[0], into: &buffer) }
    }

    /// A cipher for tests: XOR with the customer's key of one byte, which is also the first byte written. Each new
    /// customer gets another key.
    private func seal(_ keys: Shared<[String: UInt8]>) -> SubjectSeal<Visit> {
        SubjectSeal(
            subject: { visit in
                guard case .came(let customer, _) = visit else { return nil }
                return customer
            },
            seal: { bytes, customer in
                let key = keys.value[customer] ?? UInt8(0x5A + keys.value.count)
                keys.update { $0[customer] = key }
                return [key] + bytes.map { $0 ^ key }
            },
            open: { bytes, customer in
                guard let key = keys.value[customer] else { return nil }
                struct WrongKey: Error {}
                guard bytes.first == key else { throw WrongKey() }
                return bytes.dropFirst().map { $0 ^ key }
            },
            forgotten: { .forgotten($0) }
        )
    }

    @Test("without its key, a customer's action is read as forgotten, and all others as they were")
    func seals() async throws {
        let disk = SlowDisk()
        let keys = Shared<[String: UInt8]>([:])
        let codec = try CodableCodec<Visit>(version: 1).sealing(by: seal(keys))
        let bytes = try await write(visits, codec, disk)
        #expect(!bytes.contains(Array("555-1234".utf8)) && !bytes.contains(Array("777".utf8)))
        #expect(try await read(codec, disk) == visits)
        keys.update { $0["c1"] = nil }
        #expect(try await read(codec, disk) == [.forgotten("c1"), .tick(1), visits[2]])
    }

    @Test("a codec that seals reads records written without it; the plain codec throws on sealed records")
    func before() async throws {
        let disk = SlowDisk()
        let plain = try CodableCodec<Visit>(version: 1)
        _ = try await write([.tick(7)], plain, disk)
        let codec = plain.sealing(by: seal(Shared([:])))
        _ = try await write(visits, codec, disk)
        #expect(try await read(codec, disk) == [.tick(7)] + visits)
        await #expect(throws: JournalError.self) { _ = try await read(plain, disk) }
    }

    @Test("a truncated sealed value throws, and one with a flipped bit never traps")
    func damage() throws {
        let codec = try BitwiseCodec<Deed>(version: 1).sealing(
            by: SubjectSeal(
                subject: { _ in "a" },
                seal: { bytes, _ in Array(bytes) },
                open: { bytes, _ in Array(bytes) },
                forgotten: { _ in .add(0) }
            )
        )
        var buffer = RecordBuffer()
        try codec.encode(.add(3), into: &buffer)
        let bytes = buffer.withUnsafeBytes { Array($0) }
        #expect(try bytes.withUnsafeBytes { try codec.decode($0, route: 1) } == .add(3))
        for count in 0..<bytes.count {
            #expect(throws: CodecError.self) {
                try bytes[..<count].withUnsafeBytes { try codec.decode(UnsafeRawBufferPointer($0), route: 1) }
            }
        }
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << bit
                _ = try? damaged.withUnsafeBytes { try codec.decode($0, route: 1) }
            }
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
