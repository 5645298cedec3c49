// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Reports each action of the sample to the store's probe.
@usableFromInline
struct ProbeWatcher: PipelineWatcher {
    /// Not retained: the consumer keeps the probe until the batch has ended.
    @usableFromInline let probe: Unmanaged<ProbeBox>
    /// The batch limit; nil once the probe knows it.
    @usableFromInline var untoldLimit: Int?
    /// Whether the current action is outside of the sample: the probe is told only that it passed.
    @usableFromInline var isPassing = false
    /// Whether the current action is checked for copies of the state.
    @usableFromInline var isChecked = false

    @inlinable
    init(_ probe: Unmanaged<ProbeBox>, untoldLimit: Int?) {
        self.probe = probe
        self.untoldLimit = untoldLimit
    }

    @inlinable
    mutating func takeUp<Action>(_ action: UnsafePointer<Action>, _ taken: TakenAction, depth: () -> Int)
        -> MeasuredAction
    {
        probe._withUnsafeGuaranteedRef { probe in
            if let limit = untoldLimit {
                if probe.wantsBatches { probe.batchBegan(ProbedBatch(depth: depth(), limit: limit)) }
                untoldLimit = nil
            }
            let measured = MeasuredAction(
                number: taken.number,
                // Before the time, because the probe may call a closure of the user.
                kind: probe.kind(of: action),
                ticks: TickClock.now,
                slot: taken.slot
            )
            isPassing = probe.isSampling && !Slot.isMeasured(taken.slot)
            if isPassing {
                probe.actionPassed(measured)
            } else {
                probe.actionBegan(measured)
                isChecked = probe.copyCheck.isDue()
                if isChecked { probe.copies.begin(stages: probe) }
            }
            return measured
        }
    }

    @inlinable
    mutating func handle<M: MiddlewareProtocol>(
        _ middleware: M,
        _ action: borrowing Borrowed<M.InputActionType>,
        _ source: borrowing Borrowed<ActionSource>,
        _ state: @escaping GetState<M.StateType>
    ) -> IO<M.OutputActionType> {
        if isPassing { return middleware.handle(action: action.value, from: source.value, state: state) }
        return probe._withUnsafeGuaranteedRef { probe in
            if isChecked {
                defer { probe.copies.handled() }
                return middleware.handle(action: action.value, from: source.value, state: state, probe: probe.copies)
            }
            return middleware.handle(action: action.value, from: source.value, state: state, probe: probe)
        }
    }

    @inlinable @inline(__always)
    mutating func stageBegan(_ stage: PipelineStage) {
        if !isPassing { probe._withUnsafeGuaranteedRef { $0.stageBegan(stage) } }
    }

    @inlinable @inline(__always)
    mutating func stageEnded(_ stage: PipelineStage) {
        if !isPassing { probe._withUnsafeGuaranteedRef { $0.stageEnded(stage) } }
    }

    @inlinable
    mutating func actionEnded(_ action: borrowing MeasuredAction) {
        if isPassing { return }
        let action = copy action
        probe._withUnsafeGuaranteedRef { probe in
            if isChecked {
                isChecked = false
                probe.copies.end()
            }
            probe.actionEnded(action)
        }
    }
}
