// SPDX-License-Identifier: Apache-2.0

public import Millrace
import MillraceCore

@_exported public import struct MillraceRuntime.Ticks

/// Measures a running store: where each action's time goes, by stage and by kind of action.
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
/// **What is measured.** The time in the queue, `handle` of each middleware that has a name (`named(_:)`), the
/// reducers, the works after them, publication, and all from dispatch to the end; effects from start to end.
/// Latencies count from dispatch, or from the time that `dispatch(_:intendedAt:)` was given: what waited behind a
/// stall shows, and nothing must be corrected afterwards.
///
/// **Switching.** ``turnOn(oneIn:)`` and ``turnOff()`` take effect at their place in the order of actions, on a
/// running store; no action is lost, doubled or half measured. What was measured before stays. Of several threads that
/// switch at the same time one is the last: when all have returned, ``sampling`` says what the store does. Releasing
/// the instrumentation turns it off.
///
/// **Threads.** Any thread may call anything. The pipeline's thread writes alone; reading sends it a message, by
/// which it exchanges what it has written for an empty recording: it never waits for a reader, and no count is lost.
///
/// **Cost.** Off: none, the store runs another loop. On: at most 20 ns a stage, and a look at the clock for each
/// dispatch. One in 16: some nanoseconds an action. A snapshot: some 20 µs between two actions, to wake the reader. No
/// allocation but once for each kind and stage. Memory is bounded, see ``InstrumentationSnapshot/mostMemory``.
///
/// **Stages.** Of the middlewares with a name that the store has now, and of 16 names that come later, as plugins do;
/// all further names are one stage, `other`.
///
/// **What it does not do.** A store has one probe: two instrumentations of one store, or one beside
/// `setProbe(_:)`, take it away from each other.
public final class Instrumentation: Sendable {
    let label: String
    let store: any ProbedStore
    let recorder: PipelineRecorder
    let effects: EffectRecorder
    let traceRoom: Int
    let accumulator: SnapshotAccumulator
    /// The recorder of the last actions, if there is one.
    public let flight: FlightRecorder?

    /// Measures a store, from now on.
    ///
    /// - Parameters:
    ///   - store: What is measured. It is not kept from being released.
    ///   - label: What the store is called in reports.
    ///   - kinds: How the kinds of its actions are told apart.
    ///   - interval: One action in so many is measured, as ``turnOn(oneIn:)`` has it.
    ///   - isOn: Whether it begins to measure now; if not, it costs nothing until it is turned on.
    ///   - traceRoom: How many events are kept for ``traceBatch()``; 0: none are made.
    ///   - flight: Keeps the last actions, **as long as this is on**: see ``turnOff()``. It belongs to this
    ///     instrumentation alone.
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

    /// Measures one action in so many from here on.
    ///
    /// The sample is drawn by the actions' numbers, so that actions which alternate in any pattern get their share.
    /// When the rate changes, read ``nextInterval()`` first: what is measured at two rates is a mixture, see
    /// ``InstrumentationSnapshot/isMixed``.
    ///
    /// - Parameter interval: 1: all of them. Rounded up to a power of two: 3 is 4, 17 is 32; at most 2³⁰. What is below
    ///   1 is no rate and counts as 1; to measure none call ``turnOff()``. ``sampling`` says what it is.
    public func turnOn(oneIn interval: Int = 1) {
        let wanted = accumulator.turnOn(oneIn: interval)
        switchEffects()
        store.setProbe(recorder, oneIn: wanted.rate) { [recorder] in recorder.turn($0, wanted) }
    }

    /// Measures nothing from here on. The store goes back to the loop that knows nothing of all this.
    ///
    /// **What is off costs nothing, so it records nothing either: the ``flight`` recorder stops, too.** To keep the
    /// last actions and measure next to nothing, call ``turnOn(oneIn:)`` with a large interval instead
    /// (`turnOn(oneIn: 1 << 20)`): the recorder sees every action, whatever the sample.
    public func turnOff() {
        let wanted = accumulator.turnOff()
        switchEffects()
        store.removeProbe(recorder) { [recorder] in recorder.turn($0, wanted) }
    }

    /// Without a lock around both steps, as the store may run handlers while it is told. Whoever of several threads
    /// switches last looks afterwards whether it did what was wanted last.
    private func switchEffects() {
        var done: SnapshotAccumulator.Switch
        repeat {
            done = accumulator.latest
            if done.rate > 0 { store.effects.set(effects) } else { store.effects.remove(effects) }
        } while accumulator.latest != done
    }

    /// Of how many actions one is measured; 1: all; 0: it is off.
    public var sampling: Int { accumulator.sampling }
}
