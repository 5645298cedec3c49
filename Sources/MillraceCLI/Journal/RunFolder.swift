// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import MillraceJournal
import MillraceRecords

/// The folder of `--journal`: a journal, or a sharded one.
final class RunFolder {
    /// The bytes of a segment. Shards share them, because each journal keeps three segments.
    private static let segmentBytes = 64 << 20
    private static let smallestSegment = 4 << 20

    private let path: String
    private let shards: Int
    private var sharded: ShardedJournal<LogAction>?

    init(path: String, shards: Int) {
        self.path = path
        self.shards = shards
    }

    /// Opens the journals, by the number of their shards. Nothing is changed if the folder holds something else.
    func open(_ durability: Durability) throws(RunJournalError) -> [Journal<LogAction>] {
        try checkNames()
        do throws(JournalError) {
            guard shards > 1 else {
                return [try Journal(directory: path, codec: LogActionCodec(), durability: durability)]
            }
            let journal = try ShardedJournal(
                directory: path,
                shards: shards,
                codec: LogActionCodec(),
                durability: durability,
                segmentBytes: max(Self.smallestSegment, Self.segmentBytes / shards)
            )
            sharded = journal
            return journal.journals
        } catch .otherShards(_, let found, _) {
            throw .otherRun(path, reason: "it has \(found). Give that number to --shards")
        } catch {
            throw RunJournalError(error)
        }
    }

    /// Notes that all journals were opened: none may be missing in the next start.
    func noteOpened() async throws(RunJournalError) {
        do throws(JournalError) { try await sharded?.noteOpened() } catch { throw RunJournalError(error) }
    }

    /// A folder with other files may belong to someone else.
    private func checkNames() throws(RunJournalError) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path).sorted() else { return }
        let isOfOne = { (name: String) in
            name == "lock" || name.hasPrefix("segment-") || name.hasPrefix("snapshot-") || name.hasPrefix("stock-")
        }
        let isOfShards = { (name: String) in
            name.hasPrefix("manifest") || name == "opened" || name.hasPrefix("shard-")
        }
        if let other = names.first(where: { !isOfOne($0) && !isOfShards($0) }) {
            throw .notAJournal(path, found: other)
        }
        if shards > 1, names.contains(where: isOfOne) {
            throw .otherRun(path, reason: "it was begun without --shards. Leave it out")
        }
        if shards == 1, names.contains(where: isOfShards) {
            throw .otherRun(path, reason: "it was begun with --shards. Give the same number")
        }
    }

    /// The first action says what is counted. It is read before anything in the folder changes.
    func check(_ journal: Journal<LogAction>, _ run: RunDescription) async throws(RunJournalError) {
        let first: RecordedAction<LogAction>?
        do throws(JournalError) {
            var entries = journal.entries().makeAsyncIterator()
            first = try await entries.next()
        } catch {
            throw RunJournalError(error)
        }
        guard let first else { return }
        guard case .began(let old) = first.action else { throw .otherProgram(journal.directory, kind: first.kind) }
        if let reason = old.difference(from: run) { throw .otherRun(path, reason: reason) }
    }
}

extension RunJournalError {
    init(_ error: JournalError) {
        if case .file(.unknownKind(let path, _, let kind, _)) = error {
            self = .otherProgram(path, kind: kind)
        } else {
            self = .journal(error)
        }
    }
}
