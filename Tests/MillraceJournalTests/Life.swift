// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournal
import MillraceRecords
import TestSupport
import Testing

/// Numbers as actions, with more bytes for some.
struct NumberCodec: ActionCodec {
    let schema = RecordSchema(
        type: RecordType(name: "Number", version: 1, encoding: RecordEncoding(rawValue: 300)),
        kinds: ["Number"]
    )

    func kind(of action: UInt64) -> Int { 0 }

    func encode(_ action: UInt64, into output: inout RecordBuffer) throws(CodecError) {
        output.append(action)
        for _ in 0..<(action % 13) * 5 { output.append(action) }
    }

    func decode(_ bytes: UnsafeRawBufferPointer, route: Int) throws(CodecError) -> UInt64 {
        let action = bytes.loadUnaligned(as: UInt64.self)
        guard bytes.count == 8 + Int(action % 13) * 40 else {
            throw .notDecodable(type: "Number", reason: "\(bytes.count) bytes", offset: nil)
        }
        return action
    }
}

/// What a journal of numbers holds: how many, and a hash of them in their order.
struct Fold: BitwiseCopyable, Equatable {
    var count: UInt64 = 0
    var hash: UInt64 = 0
    /// The last mark of the only producer.
    var mark: UInt64 = 0

    mutating func add(_ number: UInt64) {
        count += 1
        hash = (hash ^ number) &* 0x100_0000_01B3
        mark = count
    }
}

let numbers = NumberCodec()
let folds: BitwiseCodec<Fold> = {
    do { return try BitwiseCodec(version: 1) } catch { preconditionFailure("\(error)") }
}()

/// Small files, and no other thread.
let smallFiles: JournalOptions = {
    var options = JournalOptions()
    options.segmentBytes = 1500
    options.preparesAhead = false
    return options
}()

/// A journal of numbers that was read to its end.
struct Opened<Folder: JournalFolder>: ~Copyable {
    let fold: Fold
    private let recovery: JournalRecovery<Folder>

    init(fold: Fold, recovery: consuming JournalRecovery<Folder>) {
        self.fold = fold
        self.recovery = recovery
    }

    var report: RecoveryReport { recovery.report }

    consuming func write() throws -> JournalWriter<Folder> { try recovery.finish([numbers.schema]) }
}

/// Opens a journal of numbers, and folds what is in it.
func open<Folder: JournalFolder>(
    _ folder: Folder,
    _ options: JournalOptions = smallFiles
) throws -> Opened<Folder> {
    var recovery = try JournalRecovery(folder, options: options)
    var fold = Fold()
    if let snapshot = recovery.snapshot {
        fold = try snapshot.state(by: folds)
        for case .mark(_, let number) in snapshot.records { fold.mark = number }
    }
    while let record = try recovery.next() {
        switch record.content {
        case .action:
            let mark = fold.mark
            fold.add(try numbers.decode(record.bytes, route: 0))
            fold.mark = mark
        case .reserved(let kind):
            if case .mark(_, let number)? = JournalRecord(kind: kind, record.bytes) { fold.mark = number }
        case .state, .end: throw Unexpected()
        }
    }
    return Opened(fold: fold, recovery: recovery)
}

struct Unexpected: Error {}

extension JournalWriter where Folder: JournalFolder {
    /// Appends a number with the mark of its producer, and returns its sequence.
    mutating func append(
        _ number: UInt64,
        at time: ActionTime = ActionTime(nanosecondsSince1970: 1)
    ) throws -> UInt64 {
        let sequence = frame.nextSequence
        frame.append(.mark(producer: "p", number: sequence))
        try frame.append(
            number,
            RecordHead(sequence: sequence, time: time),
            by: numbers
        )
        return sequence
    }
}

/// What was given to a journal, over several lives of its program, and what of it may not be lost.
struct Account {
    /// The fold after each number: the first is that of none.
    var folds = [Fold()]
    /// The last sequence that was acknowledged as synced.
    var acknowledged: UInt64 = 0

    mutating func add(_ number: UInt64) {
        var fold = folds[folds.count - 1]
        fold.add(number)
        folds.append(fold)
    }

    /// Compares what a recovery found: a prefix with all that was acknowledged. The rest never was.
    mutating func check(_ found: Fold) -> String? {
        guard found.count >= acknowledged else { return "\(found.count) of \(acknowledged) acknowledged are there" }
        guard found.count < folds.count, folds[Int(found.count)] == found else { return "it is no prefix: \(found)" }
        folds.removeLast(folds.count - 1 - Int(found.count))
        return nil
    }
}
