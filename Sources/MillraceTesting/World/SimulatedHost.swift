// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

/// Runs the pipeline of one store as steps of a world: one action a step.
final class SimulatedHost: PipelineHost, @unchecked Sendable {
    // Unchecked because the variables belong to the holder of the world's token.
    let scheduler: Scheduler
    let pipeline: HostedPipeline
    let number: UInt64
    /// If nil, actions need no admission.
    private let gate: AdmissionGate?
    /// Keeps the store while its pipeline is to run.
    private var held: (any AnyObject & Sendable)?
    private var isInTurn = false
    private var isWoken = false
    private var hasTimer = false

    init(_ scheduler: Scheduler, _ pipeline: HostedPipeline, gate: AdmissionGate? = nil) {
        self.scheduler = scheduler
        self.pipeline = pipeline
        self.gate = gate
        number = scheduler.nextStore()
        gate?.host = self
    }

    package func kick(upTo position: UInt64) {
        wakeUp()
        scheduler.pause("dispatches to store \(number)")
    }

    package func wake() { wakeUp() }

    package func wakeForUrgent() {
        wakeUp()
        scheduler.pause("dispatches an urgent action to store \(number)")
    }

    private func wakeUp() {
        scheduler.enter("uses store \(number)") {
            if isInTurn {
                isWoken = true
            } else if held == nil {
                held = pipeline.core
                scheduler.add(self)
            }
        }
    }

    /// Handles one action, or one message. Returns true if there may be more.
    func turn() -> Bool {
        // A publication between two turns may have to wait for a journal. The pipeline has one user at a time, so this
        // turn comes after it.
        if isInTurn {
            (isWoken, held) = (true, nil)
            return false
        }
        // Released at the end of this step.
        let core = held
        defer { withExtendedLifetime(core) {} }
        if let gate, !pipeline.isClosing, pipeline.beginsWithAction, !gate.admits() {
            held = nil
            publish()
            return false
        }
        isInTurn = true
        isWoken = false
        // Without this, `reduceAt` would use the time of the system.
        let mayHaveMore = TakeUpTime.with(gate?.time ?? scheduler.actionTime) { pipeline.turn(atMost: 1) }
        if !mayHaveMore, !isWoken, !pipeline.isFinished {
            if scheduler.wantsTidying() { _ = pipeline.tidy() }
            // Inside the turn, because it may have to wait for a journal.
            publish()
        }
        isInTurn = false
        if mayHaveMore || isWoken || pipeline.hasInternal { return true }
        held = nil
        return false
    }

    /// Ends a closed store between two runs. An endless chain of actions is cut off, as the deadline of a shutdown
    /// does.
    func finish() {
        for _ in 0..<Self.mostLastTurns {
            if !turn() { return }
        }
        pipeline.abandon()
        while turn() {}
    }

    private static var mostLastTurns: Int { 100_000 }

    private func publishBetweenTurns() {
        guard !isInTurn, !pipeline.isFinished else { return }
        (isInTurn, isWoken) = (true, false)
        publish()
        isInTurn = false
        // What subscribers dispatch may be internal actions.
        if isWoken || pipeline.hasInternal { wakeUp() }
    }

    private func publish() {
        guard let wait = pipeline.publishIfDue(), !hasTimer else { return }
        hasTimer = true
        scheduler.addTimer("store \(number) publishes", in: wait) { [weak self, weak core = pipeline.core] in
            guard let core, let self else { return }
            withExtendedLifetime(core) {
                self.hasTimer = false
                self.publishBetweenTurns()
            }
        }
    }
}
