// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import MillraceRecords

/// The journals of a sharded store: one a shard, in one folder.
///
/// ```swift
/// let journal = try ShardedJournal<Order>(directory: "orders", shards: 4, codec: .bitwise(version: 1))
/// let store = try await ShardedStore(
///     recovering: journal,
///     by: { order in order.account },
///     initialState: { _ in Accounts() },
///     reducer: reducer,
///     middleware: { _ in Audit() }
/// )
/// ```
///
/// The folder has a manifest with the number of shards and the hash that finds the shard of a key. A program that wants
/// others is refused.
///
/// **Promises.** Each shard keeps those of ``Journal``. There is no order between two shards: after a crash one of them
/// may have an action that was dispatched later than one that another shard has lost. An action that a shard dispatches
/// to another one is handled at most once: a crash may come between the two.
///
/// **Cost.** Each shard has a thread and syncs of its own. On one disk they compete: two shards do not sync twice as
/// often.
public final class ShardedJournal<Action>: Sendable {
    /// The folder.
    public let directory: String
    /// The journals, by the number of their shards. Read them as any journal.
    public let journals: [Journal<Action>]

    /// Opens the journals; the folder is made if there is none, the folder around it must exist.
    ///
    /// - Parameters:
    ///   - directory: The folder, which nothing else may use.
    ///   - shards: The number of shards, 1 to 65,536. It can never change.
    ///   - codec: Writes and reads the actions.
    ///   - durability: When an action counts as durable.
    ///   - onFailure: What happens when the journal of a shard can write no more.
    ///   - unknownKinds: What a recovery does with actions of kinds that the codec does not know. With `.park` each
    ///     shard has files of its own: `PATH.shard-0` and so on.
    ///   - capacity: How many actions of each shard may be on their way to its journal.
    ///   - segmentBytes: The size of a segment, in bytes. Each shard has two segments of zeros in stock.
    /// - Throws: ``JournalError/otherShards(path:found:expected:)``, or another ``JournalError`` if a folder cannot be
    ///   opened.
    @inlinable
    public convenience init<Codec: ActionCodec>(
        directory: String,
        shards: Int,
        codec: Codec,
        durability: Durability = .grouped,
        onFailure: JournalFailurePolicy = .stop,
        unknownKinds: UnknownKinds = .fail,
        capacity: Int = 8_192,
        segmentBytes: Int = 64 << 20
    ) throws(JournalError) where Codec.Action == Action {
        let count = ShardKey.count(shards)
        try Self.prepare(directory, count)
        var journals: [Journal<Action>] = []
        for shard in 0..<count {
            journals.append(
                try Journal(
                    directory: Self.folder(directory, shard),
                    codec: codec,
                    durability: durability,
                    onFailure: onFailure,
                    unknownKinds: Self.unknownKinds(unknownKinds, shard),
                    capacity: capacity,
                    segmentBytes: segmentBytes
                )
            )
        }
        self.init(directory, journals)
    }

    @usableFromInline
    package static func unknownKinds(_ policy: UnknownKinds, _ shard: Int) -> UnknownKinds {
        if case .park(let path) = policy { .park(path: "\(path).shard-\(shard)") } else { policy }
    }

    @usableFromInline
    init(_ directory: String, _ journals: [Journal<Action>]) {
        self.directory = directory
        self.journals = journals
    }

    @usableFromInline
    static func folder(_ directory: String, _ shard: Int) -> String {
        "\(directory)/\(ShardManifest.folder(of: shard))"
    }

    @usableFromInline
    static func prepare(_ directory: String, _ shards: Int) throws(JournalError) {
        let folder = try system(try DiskFolder(path: directory, create: true))
        try ShardManifest(shards: shards).check(folder)
    }

    /// Notes that all shards were opened. From then on a shard without a segment has lost its files.
    package func noteOpened() async throws(JournalError) {
        let path = directory
        try await onDisk(nil) { () throws(JournalError) in try ShardManifest.markOpened(path) }.get()
    }

    /// The figures of each shard's journal, by the number of the shard.
    public var metrics: [JournalMetrics] { journals.map(\.metrics) }
}
