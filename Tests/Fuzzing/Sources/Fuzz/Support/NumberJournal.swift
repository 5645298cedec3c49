// SPDX-License-Identifier: Apache-2.0

import MillraceCore

@testable import MillraceJournal
@testable import MillraceRecords

/// Numbers as actions.
struct NumberCodec: ActionCodec {
    let schema = RecordSchema(type: RecordType(name: "Number", version: 1, encoding: .custom), kinds: ["Number"])

    func kind(of action: UInt64) -> Int { 0 }

    func encode(_ action: UInt64, into output: inout RecordBuffer) throws(CodecError) {
        for _ in 0...(action % 5) { output.append(action) }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> UInt64 {
        guard bytes.count >= 8 else { throw .notDecodable(type: "Number", reason: "too short", offset: nil) }
        return UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    }
}

/// What a journal of numbers holds: how many, and a hash of them in their order.
struct Fold: BitwiseCopyable, Equatable {
    var count: UInt64 = 0
    var hash: UInt64 = 0

    mutating func add(_ number: UInt64) {
        count &+= 1
        hash = (hash ^ number) &* 0x100_0000_01B3
    }
}

/// What a recovery has found.
struct Recovered: Equatable {
    var fold: Fold
    var report: RecoveryReport
}

enum NumberJournal {
    static let codec = NumberCodec()
    static let folds: BitwiseCodec<Fold> = {
        do { return try BitwiseCodec(version: 1) } catch { preconditionFailure("\(error)") }
    }()

    static let options: JournalOptions = {
        var options = JournalOptions()
        (options.segmentBytes, options.preparesAhead, options.stock, options.requiresDisk) = (700, false, 0, false)
        return options
    }()

    /// Recovers a journal, and folds its numbers; with `appending` the number is written behind them.
    static func recover(_ folder: MemoryFolder, appending number: UInt64? = nil) throws(JournalError) -> Recovered {
        var recovery = try JournalRecovery(folder, options: options)
        var routes = try KindRoutes(codec, recovery.segments, unknownKinds: .fail)
        var fold =
            try recovery.snapshot.map { snapshot throws(JournalError) in try snapshot.state(by: folds) } ?? Fold()
        var entered = -1
        while let record = try recovery.next() {
            if entered != recovery.segmentIndex, let segment = recovery.segment {
                try routes.enter(segment)
                entered = recovery.segmentIndex
            }
            if let action = try routes.action(of: record) { fold.add(action) }
        }
        let found = Recovered(fold: fold, report: recovery.report)
        if let number {
            var writer = try recovery.finish([codec.schema])
            try append(number, to: &writer)
            try writer.sync()
        }
        return found
    }

    static func append(_ number: UInt64, to writer: inout JournalWriter<MemoryFolder>) throws(JournalError) {
        let head = RecordHead(sequence: writer.frame.nextSequence, time: ActionTime(nanosecondsSince1970: 1))
        do {
            try writer.frame.append(number, head, by: codec)
        } catch {
            expect(false, "a number cannot be written: \(error)")
        }
        try writer.write()
    }
}
