// SPDX-License-Identifier: Apache-2.0

import Histogram
import MillraceCore
import MillraceRuntime

/// Measures effects, which begin and end on any thread. It uses a lock, because an effect costs far more than a lock.
final class EffectRecorder: EffectProbe {
    private struct State {
        var effects: [EffectSnapshot] = []
        /// The names of all effects seen so far. Names are only ever added.
        var names: [String] = []
        var trace: [TraceEvent] = []
        var missed: UInt64 = 0
    }

    private let traceRoom: Int
    private let state = Locked(State())

    init(traceRoom: Int) {
        self.traceRoom = traceRoom
    }

    func effectBegan(_ meter: EffectMeter) -> UInt64 {
        let name = Self.name(of: meter)
        state.withLock { state in
            let index = Self.index(of: name, in: &state)
            state.effects[index].started += 1
        }
        return Ticks.now.rawValue
    }

    func effectEnded(_ meter: EffectMeter, began: UInt64, isCancelled: Bool) {
        let (start, end) = (Ticks(rawValue: began), Ticks.now)
        let time = start.nanoseconds(until: end)
        let name = Self.name(of: meter)
        let thread = traceRoom > 0 ? ThreadNumber.current : 0
        state.withLock { state in
            let index = Self.index(of: name, in: &state)
            if isCancelled { state.effects[index].cancelled += 1 } else { state.effects[index].completed += 1 }
            state.effects[index].latency.record(time)
            guard traceRoom > 0 else { return }
            let stage = UInt16(clamping: state.names.firstIndex(of: name) ?? 0)
            let event = Self.event(stage, thread, start, end)
            if state.trace.count < traceRoom {
                state.trace.append(event)
            } else {
                // The buffer is full: overwrite the oldest event.
                state.trace[Int(state.missed % UInt64(traceRoom))] = event
                state.missed += 1
            }
        }
    }

    private static func name(of meter: EffectMeter) -> String { meter.name?.description ?? "effects" }

    private static func index(of name: String, in state: inout State) -> Int {
        if let index = state.effects.firstIndex(where: { $0.name == name }) { return index }
        let latency = LatencyDistribution(digits: .two)
        state.effects.append(EffectSnapshot(name: name, started: 0, completed: 0, cancelled: 0, latency: latency))
        if !state.names.contains(name) { state.names.append(name) }
        return state.effects.count - 1
    }

    private static func event(_ stage: UInt16, _ thread: Int32, _ start: Ticks, _ end: Ticks) -> TraceEvent {
        TraceEvent(
            what: .effect,
            stage: stage,
            kind: .max,
            thread: thread,
            start: start,
            end: end,
            nanosecondsQueued: 0,
            number: 0,
            parent: 0,
            root: 0
        )
    }

    /// Returns what was measured since the last call, and begins again with empty measurements.
    func take() -> [EffectSnapshot] {
        state.withLock { state in
            defer { state.effects = [] }
            return state.effects
        }
    }

    /// Returns the latest events since the last call, in any order; the number of earlier events that were overwritten;
    /// and all names.
    func takeTrace() -> (events: [TraceEvent], missed: UInt64, names: [String]) {
        state.withLock { state in
            defer { (state.trace, state.missed) = ([], 0) }
            return (state.trace, state.missed, state.names)
        }
    }

    /// The memory that the recorder holds, in bytes: for each name, one histogram here and one in the sums.
    var bytes: Int {
        let names = state.withLock { $0.names.count }
        return names * 2 * LatencyDistribution(digits: .two).histogram.estimatedFootprintInBytes
    }
}
