// SPDX-License-Identifier: Apache-2.0

import Millrace
public import MillraceRecords

/// Keeps the actions of one store in a folder: those that are durable survive a crash, and can be read later.
///
/// ```swift
/// let journal = try Journal<Order>(directory: "orders.journal", codec: .bitwise(version: 1))
/// let store = try await ReduxStoreBase(
///     recovering: journal, initialState: Book(), reducer: reducer, middleware: middleware
/// )
/// try await store.commit(.placed(order), producer: "gateway-7", number: 41)      // durable when it returns
/// store.dispatch(.tick(7))                                                        // journaled, not waited for
/// ```
///
/// **Reduce at once, effects later.** An action is handled and reduced at once, as without a journal. Its IOs and the
/// bodies of its effects run when it is durable; ``HeldWorkPolicy`` says whether the pipeline waits for that. What
/// middlewares do in `handle` and `afterReduce` runs at once.
///
/// **After a crash** the state is made from a snapshot and the actions after it, as far as the files are complete.
/// Every acknowledged action that the chosen `Durability` protects from this crash is in that state. A torn tail of the
/// last segment is cut off and reported.
///
/// **Threads.** Any thread may use a journal. One writer: while a store uses the journal, a lock in the folder keeps
/// other writers out. Other processes may read.
///
/// **Files.** `docs/journal-format.md` describes them. They can be read by the owner only.
public final class Journal<Action>: Sendable {
    /// The folder.
    public let directory: String
    /// When an action counts as durable.
    public let durability: Durability
    let source: any JournalSource<Action>
    private let failures: FailureReport

    /// Opens a journal. The folder is made if there is none; its parent folder must exist.
    ///
    /// - Parameters:
    ///   - directory: The folder. Nothing else may write in it.
    ///   - codec: Writes and reads the actions. Give it an upcaster for each older version in the folder.
    ///   - durability: When an action counts as durable.
    ///   - onFailure: What happens when the journal can write no more.
    ///   - unknownKinds: What a recovery does with actions of kinds that the codec does not know.
    ///   - capacity: How many actions may be on their way to the journal; rounded up to a power of two. When so many
    ///     are on their way, the pipeline waits.
    ///   - segmentBytes: The size of a segment, in bytes. Two segments are written with zeros ahead of time, so the
    ///     folder takes twice this size more than the actions.
    /// - Throws: ``JournalError`` if the folder cannot be opened.
    @inlinable
    public convenience init<Codec: ActionCodec>(
        directory: String,
        codec: Codec,
        durability: Durability = .grouped,
        onFailure: JournalFailurePolicy = .stop,
        unknownKinds: UnknownKinds = .fail,
        capacity: Int = 8_192,
        segmentBytes: Int = 64 << 20
    ) throws(JournalError) where Codec.Action == Action {
        try self.init(
            directory: directory,
            codec: codec,
            durability: durability,
            onFailure: onFailure,
            unknownKinds: unknownKinds,
            capacity: capacity,
            segmentBytes: segmentBytes,
            coder: EntryCoder(codec)
        )
    }

    @usableFromInline
    convenience init<Codec: ActionCodec>(
        directory: String,
        codec: Codec,
        durability: Durability,
        onFailure: JournalFailurePolicy,
        unknownKinds: UnknownKinds,
        capacity: Int,
        segmentBytes: Int,
        coder: EntryCoder<Action>
    ) throws(JournalError) where Codec.Action == Action {
        let folder = try system(try DiskFolder(path: directory, create: true))
        var options = JournalOptions()
        options.requiresDisk = durability != .process
        options.needsZeros = durability != .process
        options.segmentBytes = max(65_536, segmentBytes)
        self.init(
            folder,
            codec: codec,
            durability: durability,
            onFailure: onFailure,
            unknownKinds: unknownKinds,
            capacity: capacity,
            options: options,
            coder: coder
        )
    }

    package convenience init<Codec: ActionCodec, Folder: JournalFolder>(
        _ folder: Folder,
        codec: Codec,
        durability: Durability,
        onFailure: JournalFailurePolicy,
        unknownKinds: UnknownKinds,
        capacity: Int,
        options: JournalOptions
    ) where Codec.Action == Action {
        self.init(
            folder,
            codec: codec,
            durability: durability,
            onFailure: onFailure,
            unknownKinds: unknownKinds,
            capacity: capacity,
            options: options,
            coder: EntryCoder(codec)
        )
    }

    private init<Codec: ActionCodec, Folder: JournalFolder>(
        _ folder: Folder,
        codec: Codec,
        durability: Durability,
        onFailure: JournalFailurePolicy,
        unknownKinds: UnknownKinds,
        capacity: Int,
        options: JournalOptions,
        coder: EntryCoder<Action>
    ) where Codec.Action == Action {
        directory = folder.path
        self.durability = durability
        let failures = FailureReport()
        self.failures = failures
        source = FolderSource(
            folder: folder,
            codec: codec,
            durability: durability,
            failurePolicy: onFailure,
            unknownKinds: unknownKinds,
            capacity: 1 << (Int.bitWidth - (max(2, min(capacity, 1 << 24)) - 1).leadingZeroBitCount),
            options: options,
            coder: coder,
            failures: failures
        )
    }

    /// Calls a closure when the journal has failed: it writes nothing more, and the store does what its
    /// ``JournalFailurePolicy`` says. Without this call, a line on standard error says so.
    ///
    /// Call it before a store uses the journal. The closure is called once, on the journal's thread, after the store was
    /// told. It should return soon.
    public func reportFailure(to report: @escaping @Sendable (JournalError) -> Void) {
        failures.set(report)
    }

    /// The figures of the journal; all zero before a store uses it.
    public var metrics: JournalMetrics { source.metrics }
}
