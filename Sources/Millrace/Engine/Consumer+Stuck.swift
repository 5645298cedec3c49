// SPDX-License-Identifier: Apache-2.0

import MillraceCore

extension Consumer {
    /// Returns the handler that the pipeline is running now. Nil when the pipeline neither handles an action nor calls
    /// subscribers, and where the kernel has no membarrier. Any thread.
    func stuckHandler() -> StuckHandler? {
        let named = names?.middlewares() ?? []
        return inspection.withLock { _ in
            stage.inspect { slot, which in
                guard let slot else {
                    guard which == Stage.notifying else { return nil }
                    return StuckHandler(
                        stage: .notifying,
                        middleware: nil,
                        actionKind: "subscribers",
                        actionNumber: stage.number,
                        source: ActionSource(file: "", function: "", line: 0)
                    )
                }
                let running = named.last(where: \.isRunning)
                return StuckHandler(
                    stage: which == Stage.handling ? .handling : which == Stage.reducing ? .reducing : .effects,
                    middleware: running?.name,
                    actionKind: names?.kindOfAction(slot) ?? "?",
                    actionNumber: stage.number,
                    source: Slot.source(slot).pointee
                )
            }
        }
    }
}
