// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournalTesting
import MillraceRecords

@testable import MillraceJournal

extension SharedFolder {
    init(_ disk: PowerCutDisk, gate: SyncGate? = nil, reads: FailingReads? = nil) {
        self.init(base: disk.folder, lock: Locked(0), gate: gate, reads: reads)
    }

    /// A journal in this folder. The segments and the ring of entries are small, so that both are often full.
    func journal<Codec: ActionCodec>(
        _ codec: Codec,
        _ durability: Durability = .grouped,
        onFailure: JournalFailurePolicy = .stop,
        capacity: Int = 16,
        segmentBytes: Int = 4_096
    ) -> Journal<Codec.Action> {
        var options = JournalOptions()
        options.segmentBytes = segmentBytes
        options.preparesAhead = false
        return Journal(
            self,
            codec: codec,
            durability: durability,
            onFailure: onFailure,
            unknownKinds: .fail,
            capacity: capacity,
            options: options
        )
    }
}
