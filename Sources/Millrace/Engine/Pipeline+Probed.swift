// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

extension Pipeline {
    /// The loop while a probe sees every action: as `drain(_:_:)`, and tells of every stage. `untold`: the limit of the
    /// batch, until the probe is told of it.
    @inlinable
    func drain(_ core: Core, _ most: Int, _ probe: ProbeBox, _ untold: inout Int?) -> Int {
        let queue = core.queue.raw
        var limit = most
        var taken = 0
        while taken < limit, let slot = millrace_queue_front(queue) {
            taken += 1
            if millrace_slot_is_message(slot) {
                core.consumer.takeMessage(slot)
                return most
            }
            let header = UnsafeMutableRawPointer(slot)
            if !Slot.hasRun(header) || !isRevoked(header) {
                if let limit = untold {
                    probe.batchBegan(ProbedBatch(depth: core.depth, limit: limit))
                    untold = nil
                }
                let probed = probed(header, core, probe)
                if probe.isSampling, millrace_slot_flags(slot) & Slot.measured == 0 {
                    probe.actionPassed(probed)
                    handle(header, core, probed, NoProbe.shared)
                } else {
                    handle(header, core, probed, probe)
                }
                if millrace_stage_leave(core.cell.stage), core.consumer.attend() { limit = taken }
            } else {
                core.consumer.noteCancelled()
            }
            (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self).deinitialize(count: 1)
            Slot.empty(header)
            millrace_queue_pop(queue)
        }
        return taken
    }

    /// What the probe is told of the action in a slot.
    @inlinable
    func probed(_ header: UnsafeMutableRawPointer, _ core: Core, _ probe: ProbeBox) -> ProbedAction {
        let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
        let now = millrace_clock_ticks()
        let time = Slot.time(header)
        return ProbedAction(
            number: core.queue.raw.pointee.position &+ 1,
            cause: Slot.cause(header),
            source: Slot.source(header).pointee,
            // 0: the producer wrote no time, as the probe was not on yet. What came before its time has waited for 1.
            nanosecondsQueued: time == 0 ? 0 : now > time ? max(1, millrace_clock_nanoseconds(now - time)) : 1,
            ticks: now,
            kind: probe.kind(of: action)
        )
    }

    @inlinable
    func handle(
        _ header: UnsafeMutableRawPointer,
        _ core: Core,
        _ probed: ProbedAction,
        _ probe: some PipelineProbe
    ) {
        let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
        let source = Slot.source(header)
        probe.actionBegan(probed)
        millrace_stage_enter(core.cell.stage, header, Stage.handling)
        let io = middleware.handle(action: action.pointee, from: source.pointee, state: getState, probe: probe)

        probe.stageBegan(.reducers)
        millrace_stage_enter(core.cell.stage, header, Stage.reducing)
        reduce(action.pointee, &core.cell.live.pointee)
        millrace_stage_enter(core.cell.stage, header, Stage.effects)
        core.consumer.counters.pointee.isDirty = true
        core.consumer.counters.pointee.reduced &+= 1
        probe.stageEnded(.reducers)

        if core.consumer.pacing == .everyAction {
            probe.stageBegan(.publication)
            publish(core)
            probe.stageEnded(.publication)
        }
        if middleware.hasAfterReduce || !io.isPure {
            probe.stageBegan(.effects)
            let output = output(of: core, probed.number, probed.cause)
            middleware.afterReduce(action: action.pointee, from: source.pointee, state: getState, output: output)
            io.run(output)
            probe.stageEnded(.effects)
        }
        probe.actionEnded(probed)
    }
}

extension StoreCore {
    /// Slots that wait, as a probe is told.
    @usableFromInline
    var depth: Int {
        // Positions that a trim has taken out of use never held anything.
        Int(millrace_queue_claimed(queue.raw) &- queue.raw.pointee.position &- queue.raw.pointee.unused)
    }
}
