// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords

/// A second state of a store, which follows the journal. One thread at a time uses it.
///
/// **Invariant.** `state` and `marks` are those after the frame that holds action `sequence`, and that action is the
/// last one of its frame: the marks of the producers stand at the end of a frame.
final class ShadowState<Codec: ActionCodec, Folder: JournalFolder, State>: @unchecked Sendable {
    // Unchecked because the snapshot queue uses it, one call at a time.
    private let reducer: Reducer<Codec.Action, State>
    private let reader: JournalReader<Folder>
    @exclusivity(unchecked) private var routes: KindRoutes<Codec>
    @exclusivity(unchecked) private var entered = -1
    @exclusivity(unchecked) private(set) var state: State
    @exclusivity(unchecked) private(set) var marks: [String: UInt64]
    @exclusivity(unchecked) private(set) var effects = EffectMarks()
    @exclusivity(unchecked) private(set) var sequence: UInt64
    /// The record after the last one that was used: it belongs to a later frame. Its bytes stay valid, because the
    /// reader was not asked for another one.
    @exclusivity(unchecked) private var next: RawRecord?
    /// Whether an error has left the state somewhere within a frame.
    @exclusivity(unchecked) private var isBroken = false

    /// Begins after the last action of a journal that was just recovered.
    init(
        _ folder: Folder,
        _ codec: Codec,
        _ reducer: Reducer<Codec.Action, State>,
        _ state: State,
        _ marks: [String: UInt64],
        after sequence: UInt64
    ) throws(JournalError) {
        self.reducer = reducer
        self.state = state
        self.marks = marks
        self.sequence = sequence
        reader = try JournalReader(folder, from: sequence + 1)
        routes = try KindRoutes(codec, [], unknownKinds: .skip)
    }

    /// Follows the journal to the end of a frame. Returns false if it was told to stop before.
    func advance(to target: UInt64, while goesOn: () -> Bool) throws(JournalError) -> Bool {
        if isBroken { return false }
        isBroken = true
        var count = 0
        let isThere = try TakeUpTime.replaying { (time) throws(JournalError) in
            while true {
                var found = next
                next = nil
                if found == nil { found = try reader.next() }
                guard let record = found else { return sequence >= target }
                if reader.segmentIndex != entered, let segment = reader.segment {
                    try routes.enter(segment)
                    entered = reader.segmentIndex
                }
                switch record.content {
                case .reserved(let kind):
                    guard let record = JournalRecord(kind: kind, record.bytes) else { continue }
                    if case .mark(let producer, let number) = record { marks[producer] = number == 0 ? nil : number }
                    effects.read(record)
                case .action:
                    guard record.head.sequence <= target else {
                        #if MILLRACE_PLANTED
                            if Planted.has(.shadowForgetsNext) { return true }
                        #endif
                        next = record
                        return true
                    }
                    if let action = try routes.action(of: record) {
                        time.pointee = record.head.time
                        reducer.reduce(action, &state)
                    }
                    sequence = record.head.sequence
                case .state, .end: break
                }
                count += 1
                if count % 64 == 0, !goesOn() { return false }
            }
        }
        isBroken = !isThere
        return isThere
    }
}
