// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceCore

extension Consumer {
    /// Returns the handler that the pipeline is running now. Nil when the pipeline neither handles an action nor calls
    /// subscribers, and where the kernel has no membarrier. Any thread.
    func stuckHandler() -> StuckHandler? {
        let named = names?.middlewares() ?? []
        return inspection.withLock { _ in
            var which: UInt = 0
            let slot = millrace_stage_inspect(stage, &which)
            defer { millrace_stage_release(stage) }
            guard let slot else {
                guard which == Stage.notifying else { return nil }
                return StuckHandler(
                    stage: .notifying,
                    middleware: nil,
                    actionKind: "subscribers",
                    actionNumber: millrace_queue_consumed(queue),
                    source: ActionSource(file: "", function: "", line: 0)
                )
            }
            let header = UnsafeMutableRawPointer(mutating: slot)
            let running = named.last(where: \.isRunning)
            return StuckHandler(
                stage: which == Stage.handling ? .handling : which == Stage.reducing ? .reducing : .effects,
                middleware: running?.name,
                actionKind: names?.kindOfAction(slot) ?? "?",
                actionNumber: millrace_slot_position(slot.assumingMemoryBound(to: UInt8.self)) &+ 1,
                source: Slot.source(header).pointee
            )
        }
    }
}
