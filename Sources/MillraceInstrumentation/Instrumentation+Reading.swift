// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

extension Instrumentation {
    /// All that was measured since the beginning.
    ///
    /// It comes through the queue, so it tells of every action that was dispatched before the call. Once the store is
    /// closed it waits until the pipeline has gone, then it tells of all of them; behind a handler that never returns
    /// it waits for ever, as `drain()` does.
    public func snapshot() async -> InstrumentationSnapshot {
        await read { accumulator, taken, context in accumulator.total(adding: taken, context) }
    }

    /// What was measured since the last interval, or the beginning. The intervals add up to ``snapshot()``.
    public func nextInterval() async -> InstrumentationSnapshot {
        await read { accumulator, taken, context in accumulator.interval(adding: taken, context) }
    }

    /// The events since the last batch. Nothing, where no room for events was asked for.
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

    /// Calls `body` where the recorder may be touched: on the pipeline's thread, or here once the pipeline has gone.
    private func onPipeline<Result: Sendable>(
        _ body: @escaping @Sendable (PipelineRecorder, UInt64) -> Result
    ) async -> Result {
        let result: Result? = await withCheckedContinuation { continuation in
            let isOpen = store.perform { [recorder] reduced in continuation.resume(returning: body(recorder, reduced)) }
            if !isOpen { continuation.resume(returning: nil) }
        }
        if let result { return result }
        // Readers take turns, so nobody else touches it now.
        return body(recorder, await store.end())
    }
}
