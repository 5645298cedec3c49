// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore

@_exported public import struct MillraceRuntime.Ticks

/// Measures a running store: how much time each action takes, by stage and by kind of action.
///
/// ```swift
/// let instrumentation = Instrumentation(store)
/// …
/// let snapshot = await instrumentation.snapshot()
/// for stage in snapshot.stages {
///     print(stage.name, stage.latency.histogram.valueAtPercentile(99), "ns")
/// }
/// ```
///
/// **What is measured.** The time in the queue; `handle` of each middleware that has a name (`named(_:)`); the
/// reducers; the IO and `afterReduce`; publication; waiting for the journal. The total is the time from dispatch until
/// the action is finished. Effects are measured from start to end. A latency starts at dispatch, or at the time given
/// to `dispatch(_:intendedAt:)`. So the waiting time behind a stall is included, and no correction is needed
/// afterwards.
///
/// **Switching.** ``turnOn(oneIn:)`` and ``turnOff()`` take effect at their place in the order of actions, on a running
/// store. No action is lost, duplicated or measured in part. Earlier measurements are kept. If several threads switch
/// at the same time, the last switch wins: when all calls have returned, ``sampling`` is the interval in effect.
/// Releasing the instrumentation turns it off.
///
/// **Threads.** All members may be used from any thread. Only the consumer (the thread that runs the pipeline) writes.
/// A reader sends it a message, and the consumer exchanges its recording for an empty one. The consumer never waits for
/// a reader, and no count is lost.
///
/// **Cost.** Off: none, because the store runs a loop without a probe. On: some 20 ns for each stage, and one clock
/// read for each dispatch. With one in 16: some nanoseconds for each action. A snapshot stops the pipeline for some 20
/// µs between two actions, to wake the reader. The only allocations are one for each new kind and stage. Memory is
/// bounded, see ``InstrumentationSnapshot/mostMemory``.
///
/// **Stages.** Each named middleware that the store has now gets a stage. The first 16 names that appear later, for
/// example those of plugins, get one each, too. All further names share one stage, `other`.
///
/// **What it does not do.** A store has one probe. Two instrumentations of one store, or an instrumentation and a
/// `setProbe(_:)`, take the probe away from each other. The instrumentation that has lost the probe counts actions, but
/// measures none; its ``SlownessReport`` says so.
public final class Instrumentation: Sendable {
    let label: String
    let store: any ProbedStore
    let recorder: PipelineRecorder
    let effects: EffectRecorder
    let traceRoom: Int
    let accumulator: SnapshotAccumulator
    /// The recorder of the last actions; nil if there is none.
    public let flight: FlightRecorder?

    /// Creates an instrumentation of a store. By default it measures from now on.
    ///
    /// - Parameters:
    ///   - store: The store to measure. The instrumentation does not keep it alive.
    ///   - label: The name of the store in reports.
    ///   - kinds: The rule that tells the kinds of actions apart.
    ///   - interval: The sampling interval, as in ``turnOn(oneIn:)``.
    ///   - isOn: Whether measuring starts now. If not, it costs nothing until it is turned on.
    ///   - traceRoom: The number of events that are kept for ``traceBatch()``; with 0, no events are recorded.
    ///   - flight: The recorder of the last actions. It records only **while the instrumentation is on**: see
    ///     ``turnOff()``. No other instrumentation may use it.
    public init<Action, State>(
        _ store: ReduxStoreBase<Action, State>,
        label: String = "store",
        kinds: ActionKinds<Action> = .cases,
        oneIn interval: Int = 1,
        isOn: Bool = true,
        traceRoom: Int = 0,
        flight: FlightRecorder? = nil
    ) {
        self.store = store.probed
        self.label = label
        self.flight = flight
        flight?.shard = self.store.shard
        self.traceRoom = max(0, traceRoom)
        recorder = PipelineRecorder(
            kinds: kinds.table(),
            middlewares: store.probed.middlewareNames,
            flight: flight,
            traceRoom: self.traceRoom
        )
        effects = EffectRecorder(traceRoom: self.traceRoom)
        accumulator = SnapshotAccumulator(stageLimit: recorder.stageLimit)
        if isOn { turnOn(oneIn: interval) }
    }

    deinit {
        turnOff()
    }

    /// Starts to measure one action in `interval`, or changes the interval.
    ///
    /// The sample is chosen by the actions' places in the queue (by the numbers of internal actions), so that kinds
    /// which alternate in any pattern all get their share. Before you change the rate, call ``nextInterval()``: figures
    /// measured at two rates are a mixture, see ``InstrumentationSnapshot/isMixed``.
    ///
    /// - Parameter interval: The sampling interval; 1 measures every action. It is rounded up to a power of two (3
    ///   becomes 4, 17 becomes 32), and is at most 2³⁰. A value below 1 counts as 1; call ``turnOff()`` to measure
    ///   nothing. ``sampling`` returns the resulting interval.
    public func turnOn(oneIn interval: Int = 1) {
        let wanted = accumulator.turnOn(oneIn: interval)
        switchEffects()
        store.setProbe(recorder, oneIn: wanted.rate) { [recorder] in recorder.turn($0, wanted) }
    }

    /// Stops measuring from here on. The store then runs its loop without a probe again.
    ///
    /// **While the instrumentation is off it costs nothing and records nothing: the ``flight`` recorder stops, too.**
    /// To keep the last actions and measure next to nothing, call ``turnOn(oneIn:)`` with a large interval instead
    /// (`turnOn(oneIn: 1 << 20)`): the recorder sees every action, whatever the sample.
    public func turnOff() {
        let wanted = accumulator.turnOff()
        switchEffects()
        store.removeProbe(recorder) { [recorder] in recorder.turn($0, wanted) }
    }

    /// Sets or removes the effect probe as the latest switch demands. No lock is held around both steps, because the
    /// store may run handlers meanwhile. Instead, each thread checks afterwards that it applied the latest switch.
    private func switchEffects() {
        var done: SnapshotAccumulator.Switch
        repeat {
            done = accumulator.latest
            if done.rate > 0 { store.effects.set(effects) } else { store.effects.remove(effects) }
        } while accumulator.latest != done
    }

    /// The sampling interval: one action in this number is measured. 1: all actions; 0: the instrumentation is off.
    public var sampling: Int { accumulator.sampling }
}

extension Instrumentation: CustomStringConvertible {
    /// The label of the store, and what is measured: `store: one action in 16 is measured`.
    public var description: String {
        switch sampling {
        case 0: "\(label): nothing is measured"
        case 1: "\(label): all actions are measured"
        case let interval: "\(label): one action in \(interval) is measured"
        }
    }
}
