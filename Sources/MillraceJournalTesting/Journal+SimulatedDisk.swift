// SPDX-License-Identifier: Apache-2.0

public import MillraceJournal
public import MillraceRecords

extension Journal {
    /// Opens the journal on a simulated disk. Give the store the engine `.simulated(in:)` of the same world, and make
    /// it in a task of that world.
    ///
    /// - Parameters:
    ///   - disk: The disk.
    ///   - codec: Writes and reads the actions.
    ///   - durability: When an action counts as durable.
    ///   - onFailure: What happens when the journal can write no more.
    ///   - unknownKinds: What a recovery does with actions of kinds that the codec does not know.
    ///   - capacity: How many actions may be on their way to the journal. The default is small, so that a simulated
    ///     pipeline has to wait sometimes.
    ///   - segmentBytes: The size of a segment, in bytes. The default is small, so that a run changes segments.
    public convenience init<Codec: ActionCodec>(
        on disk: SimulatedDisk,
        codec: Codec,
        durability: Durability = .grouped,
        onFailure: JournalFailurePolicy = .stop,
        unknownKinds: UnknownKinds = .fail,
        capacity: Int = 16,
        segmentBytes: Int = 4_096
    ) where Codec.Action == Action {
        var options = JournalOptions()
        options.segmentBytes = segmentBytes
        options.stock = 1
        options.needsZeros = durability != .process
        self.init(
            disk.disk.folder,
            codec: codec,
            durability: durability,
            onFailure: onFailure,
            unknownKinds: unknownKinds,
            capacity: capacity,
            options: options
        )
    }
}
