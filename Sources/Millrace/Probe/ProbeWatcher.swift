// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Reports each action of the sample to the store's probe.
@usableFromInline
struct ProbeWatcher: PipelineWatcher {
    @usableFromInline let probe: ProbeBox
    /// The batch limit; nil once the probe knows it.
    @usableFromInline var untoldLimit: Int?
    /// Whether the current action is outside of the sample: the probe is told only that it passed.
    @usableFromInline var isPassing = false
    /// Whether the current action is checked for copies of the state.
    @usableFromInline var isChecked = false

    @inlinable
    init(_ probe: ProbeBox, untoldLimit: Int?) {
        self.probe = probe
        self.untoldLimit = untoldLimit
    }

    @inlinable
    mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int)
        -> ProbedAction
    {
        if let limit = untoldLimit {
            probe.batchBegan(ProbedBatch(depth: depth(), limit: limit))
            untoldLimit = nil
        }
        let probed = Self.probed(taken, kind: probe.kind(of: action))
        isPassing = probe.isSampling && !Slot.isMeasured(taken.slot)
        if isPassing {
            probe.actionPassed(probed)
        } else {
            probe.actionBegan(probed)
            isChecked = probe.copyCheck.isDue()
            if isChecked { probe.copies.begin() }
        }
        return probed
    }

    @inlinable
    mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: M.InputActionType,
        _ source: borrowing Borrowed<ActionSource>,
        _ state: @escaping GetState<M.StateType>
    ) -> IO<M.OutputActionType> {
        if isPassing { return middleware.handle(action: action, from: source.value, state: state) }
        if isChecked {
            defer { probe.copies.handled() }
            return middleware.handle(action: action, from: source.value, state: state, probe: probe.copies)
        }
        return middleware.handle(action: action, from: source.value, state: state, probe: probe)
    }

    @inlinable
    mutating func stageBegan(_ stage: PipelineStage) {
        if !isPassing { probe.stageBegan(stage) }
    }

    @inlinable
    mutating func stageEnded(_ stage: PipelineStage) {
        if !isPassing { probe.stageEnded(stage) }
    }

    @inlinable
    mutating func actionEnded(_ action: borrowing ProbedAction) {
        if isPassing { return }
        if isChecked {
            isChecked = false
            probe.copies.end()
        }
        probe.actionEnded(copy action)
    }

    /// Returns the description of an action for the probe.
    @inlinable
    static func probed(_ taken: TakenAction, kind: Int) -> ProbedAction {
        let now = TickClock.now
        let time = Slot.time(taken.slot)
        return ProbedAction(
            number: taken.number,
            cause: taken.cause,
            source: taken.source,
            // 0: the producer wrote no time, as the probe was not on yet. A time in the future counts as 1.
            nanosecondsQueued: time == 0 ? 0 : now > time ? max(1, TickClock.nanoseconds(now - time)) : 1,
            ticks: now,
            kind: kind
        )
    }
}
