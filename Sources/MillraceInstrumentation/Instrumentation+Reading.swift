// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

extension Instrumentation {
    /// Returns everything that was measured since the beginning.
    ///
    /// The request passes through the queue, so the snapshot covers every action that was dispatched before the call.
    /// On a closed store, the call waits until the pipeline has ended; the snapshot then covers all actions. Behind a
    /// handler that never returns, the call waits forever, as `drain()` does.
    public func snapshot() async -> InstrumentationSnapshot {
        await read { accumulator, taken, context in accumulator.total(adding: taken, context) }
    }

    /// Returns what was measured since the last interval, or since the beginning. The intervals add up to
    /// ``snapshot()``.
    public func nextInterval() async -> InstrumentationSnapshot {
        await read { accumulator, taken, context in accumulator.interval(adding: taken, context) }
    }

    /// Returns the events since the last batch. The batch is empty if `traceRoom` is 0.
    public func traceBatch() async -> TraceBatch {
        await accumulator.inTurn { [self] in
            let taken = await onPipeline { [traceRoom] recorder, _ in recorder.exchange(TraceBuffer(room: traceRoom)) }
            let (events, missed, names) = effects.takeTrace()
            return TraceBatch(
                events: (taken.trace?.events ?? []) + events,
                missed: (taken.trace?.missed ?? 0) + missed,
                stages: taken.stages,
                kinds: taken.kinds,
                effects: names,
                origin: accumulator.origin
            )
        }
    }

    private func read(
        _ body:
            @escaping @Sendable (SnapshotAccumulator, PipelineRecorder.Taken, SnapshotAccumulator.Context) ->
            InstrumentationSnapshot
    ) async -> InstrumentationSnapshot {
        await accumulator.inTurn { [self] in
            let empty = accumulator.emptyRecording()
            let taken = await onPipeline { recorder, reduced in recorder.exchange(empty, reduced) }
            let others =
                KindTable.bytes + PipelineRecorder.bytes + traceRoom * MemoryLayout<TraceEvent>.stride * 2
                + (flight?.bytes ?? 0) + effects.bytes
            return body(
                accumulator,
                taken,
                SnapshotAccumulator.Context(label: label, effects: effects.take(), otherBytes: others)
            )
        }
    }

    /// Calls `body` where the recorder may be accessed: on the consumer, or here once the pipeline has ended.
    private func onPipeline<Result: Sendable>(
        _ body: @escaping @Sendable (PipelineRecorder, UInt64) -> Result
    ) async -> Result {
        let result: Result? = await suspend { continuation in
            let isOpen = store.perform { [recorder] reduced in continuation.resume(returning: body(recorder, reduced)) }
            if !isOpen { continuation.resume(returning: nil) }
        }
        if let result { return result }
        // Readers take turns and the pipeline has ended, so no other thread uses the recorder now.
        return body(recorder, await store.end())
    }
}
