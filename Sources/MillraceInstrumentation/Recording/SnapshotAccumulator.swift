// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore
import MillraceRuntime

/// The reader's side of an ``Instrumentation``: the sums of what was read so far, and the order in which readers take
/// turns.
final class SnapshotAccumulator: Sendable {
    /// The parts of a snapshot that do not come from the pipeline's recording.
    struct Context: Sendable {
        let label: String
        /// What was measured of effects since the last read.
        let effects: [EffectSnapshot]
        let otherBytes: Int
    }

    /// The sampling interval that was asked for (0: off), and the number of the switch that asked for it. Each switch
    /// has a higher number than the previous one. Only the switch with the highest number counts, whatever the order in
    /// which the pipeline gets them.
    struct Switch: Sendable, Equatable {
        var rate = 0
        var number: UInt64 = 0
    }

    private struct State {
        var latest = Switch()
        /// The time at which the instrumentation was first turned on.
        var origin: (ticks: Ticks, nanosecondsSince1970: UInt64)?
        var turn: Task<Void, Never>?
    }

    /// The sum of what was read over a period.
    private struct Sum {
        let recording: Recording
        var effects: [EffectSnapshot] = []

        mutating func add(_ taken: PipelineRecorder.Taken, _ context: Context) {
            recording.add(taken.recording)
            for effect in context.effects {
                if let index = effects.firstIndex(where: { $0.name == effect.name }) {
                    effects[index].add(effect)
                } else {
                    effects.append(effect)
                }
            }
        }
    }

    /// The sums. Only the reader whose turn it is uses them.
    private final class Counters: @unchecked Sendable {
        // Unchecked because only the reader whose turn it is uses the sums.
        var total: Sum
        /// The sum since the last interval; nil before the first interval was read.
        var sinceInterval: Sum?
        var intervalBegan: UInt64 = 0

        init(_ total: Sum) {
            self.total = total
        }
    }

    private let stageLimit: Int
    private let state = Locked(State())
    private let counters: Counters

    init(stageLimit: Int) {
        self.stageLimit = stageLimit
        counters = Counters(Sum(recording: Recording(stageLimit: stageLimit)))
    }

    var sampling: Int { latest.rate }

    var latest: Switch { state.withLock { $0.latest } }

    var origin: (ticks: Ticks, nanosecondsSince1970: UInt64) {
        state.withLock { $0.origin } ?? (.now, Self.wallClock)
    }

    /// Notes that the instrumentation was turned on, and returns the new switch.
    func turnOn(oneIn interval: Int) -> Switch {
        // Rounded up to a power of two, as the store rounds it.
        let rate = 1 << (Int.bitWidth - (min(max(interval, 1), 1 << 30) - 1).leadingZeroBitCount)
        let now = (Ticks.now, Self.wallClock)
        return state.withLock { state in
            if state.origin == nil { state.origin = now }
            state.latest = Switch(rate: rate, number: state.latest.number + 1)
            return state.latest
        }
    }

    /// Notes that the instrumentation was turned off, and returns the new switch.
    func turnOff() -> Switch {
        state.withLock { state in
            state.latest = Switch(rate: 0, number: state.latest.number + 1)
            return state.latest
        }
    }

    /// Runs readers one after another.
    func inTurn<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) async -> Result {
        let task = state.withLock { state in
            let before = state.turn
            let task = Task {
                await before?.value
                return await body()
            }
            state.turn = Task { _ = await task.value }
            return task
        }
        return await task.value
    }

    // MARK: For the reader whose turn it is

    func emptyRecording() -> Recording {
        Recording(stageLimit: stageLimit, like: counters.total.recording)
    }

    func total(adding taken: PipelineRecorder.Taken, _ context: Context) -> InstrumentationSnapshot {
        counters.total.add(taken, context)
        counters.sinceInterval?.add(taken, context)
        return snapshot(of: counters.total, from: 0, taken, context)
    }

    func interval(adding taken: PipelineRecorder.Taken, _ context: Context) -> InstrumentationSnapshot {
        counters.total.add(taken, context)
        counters.sinceInterval?.add(taken, context)
        let snapshot = snapshot(
            of: counters.sinceInterval ?? counters.total,
            from: counters.intervalBegan,
            taken,
            context
        )
        // Before the instrumentation was first turned on, no interval has begun.
        if taken.origin > 0 {
            counters.intervalBegan = Ticks(rawValue: taken.origin).nanoseconds(until: Ticks(rawValue: taken.until))
        }
        counters.sinceInterval = Sum(recording: Recording(stageLimit: stageLimit))
        return snapshot
    }

    private func snapshot(
        of sum: Sum,
        from offset: UInt64,
        _ taken: PipelineRecorder.Taken,
        _ context: Context
    ) -> InstrumentationSnapshot {
        let recording = sum.recording
        let stages = StageIndex.shown(taken.stages)
            .map { (index: $0.index, role: $0.role, latency: recording.stage($0.index)) }
            .filter { $0.latency.count > 0 }
        let kinds = (Array(1...Recording.mostKinds) + [0]).compactMap { kind -> KindSnapshot? in
            let found = recording.kind(kind)
            guard found.count > 0 else { return nil }
            let row = recording.pen.row(kind)
            return KindSnapshot(
                name: taken.kinds[kind],
                count: found.count,
                wait: found.wait.distribution(.two),
                work: found.work.distribution(.two),
                total: found.total.distribution(.two),
                nanosecondsByStage: stages.map { row[$0.index] },
                unnamedNanoseconds: found.unnamed,
                nestedNanoseconds: found.nested
            )
        }
        let origin = origin
        return InstrumentationSnapshot(
            label: context.label,
            since: origin.nanosecondsSince1970 + offset,
            until: origin.nanosecondsSince1970 + origin.ticks.nanoseconds(until: Ticks(rawValue: taken.until)),
            active: .nanoseconds(
                Int64(clamping: Ticks(rawValue: 0).nanoseconds(until: Ticks(rawValue: recording.counts.activeTicks)))
            ),
            sampling: sampling,
            isMixed: recording.counts.rates.nonzeroBitCount > 1,
            actions: recording.counts.actions,
            measured: recording.counts.measured,
            missedStages: recording.counts.missedStages,
            stages: stages.map {
                StageSnapshot(
                    name: taken.stages[$0.index],
                    role: $0.role,
                    latency: $0.latency,
                    copies: $0.role == .middleware ? recording.copies($0.index) : StateCopies()
                )
            },
            kinds: kinds,
            effects: sum.effects,
            series: recording.pen.series.pointee.series(since: offset),
            memory: context.otherBytes + 2 * counters.total.recording.bytes
                + (counters.sinceInterval?.recording.bytes ?? 0),
            mostMemory: context.otherBytes + 3 * Recording.mostBytes(stageLimit: stageLimit)
        )
    }

    private static var wallClock: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }
}
