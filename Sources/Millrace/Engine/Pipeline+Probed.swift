// SPDX-License-Identifier: Apache-2.0

public import CMillrace
public import MillraceCore

extension Pipeline {
    /// Consumes slots as `drain(_:_:)` does, and reports every stage to a probe. Used when the probe sees every action,
    /// and for each action of a sample. `untold` is the batch limit; nil once the probe knows it.
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

    /// Returns the description of the action in a slot for the probe.
    @inlinable
    func probed(_ header: UnsafeMutableRawPointer, _ core: Core, _ probe: ProbeBox) -> ProbedAction {
        let action = (header + ActionQueue<Action>.payloadOffset).assumingMemoryBound(to: Action.self)
        let now = millrace_clock_ticks()
        let time = Slot.time(header)
        return ProbedAction(
            number: core.queue.raw.pointee.position &+ 1,
            cause: Slot.cause(header),
            source: Slot.source(header).pointee,
            // 0: the producer wrote no time, because the probe was not on yet. An action that is handled before its
            // intended time counts as one that waited for 1 ns.
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
    /// The number of slots that wait, for a probe.
    @usableFromInline
    var depth: Int {
        // Positions that a trim has taken out of use never held anything.
        Int(millrace_queue_claimed(queue.raw) &- queue.raw.pointee.position &- queue.raw.pointee.unused)
    }
}
