// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore
import MillraceRuntime

// Called by messages in the queue, between two actions.
extension PipelineRecorder {
    /// Applies a switch: on, off, or to another rate. Returns false and changes nothing if a later switch was applied
    /// before.
    func turn(_ reduced: UInt64, _ wanted: SnapshotAccumulator.Switch) -> Bool {
        guard wanted.number > switches else { return false }
        switches = wanted.number
        account(reduced)
        isOn = wanted.rate > 0
        if isOn { rate = wanted.rate }
        if isOn, origin == 0 { origin = onSince }
        return true
    }

    private func account(_ reduced: UInt64) {
        let now = max(Ticks.now.rawValue, onSince)
        if isOn {
            pen.counts.pointee.activeTicks &+= now &- onSince
            pen.counts.pointee.actions &+= reduced &- reducedBefore
            if reduced != reducedBefore { pen.counts.pointee.rates |= rate }
        }
        onSince = now
        reducedBefore = reduced
    }

    /// The result of a read.
    struct Taken: Sendable {
        let recording: Recording
        let stages: [String]
        let kinds: [String]
        let origin: UInt64
        let until: UInt64
    }

    /// Returns what was measured, and continues with an empty recording.
    func exchange(_ empty: Recording, _ reduced: UInt64) -> Taken {
        account(reduced)
        pen.counts.pointee.missedStages &+= stageTimes.pointee.takeMissed()
        let full = recording
        recording = empty
        pen = empty.pen
        checksInRow = Self.firstChecks
        copyCheck?.actionsUntilNext = 1
        return Taken(
            recording: full,
            stages: index.names,
            kinds: kinds.names,
            origin: origin,
            until: onSince
        )
    }

    /// Returns the trace with the names that its events refer to, and continues with an empty trace.
    func exchange(_ empty: TraceBuffer) -> (trace: TraceBuffer?, stages: [String], kinds: [String]) {
        defer { if trace != nil { trace = empty } }
        return (trace, index.names, kinds.names)
    }
}
