// SPDX-License-Identifier: Apache-2.0

import MillraceCore

// Handles the actions that do not wait in the shared queue: urgent actions, and internal actions.
extension Pipeline {
    /// Handles up to `most` urgent and internal actions, and no action of the shared queue. Returns how many.
    @inlinable
    func drainBeside(_ core: Core, _ most: Int) -> Int {
        if let probe = core.consumer.borrowedProbeOfAll {
            var watcher = ProbeWatcher(probe, untoldLimit: most)
            return drainBeside(core, most, &watcher)
        }
        var none = NoWatcher()
        return drainBeside(core, most, &none)
    }

    /// Handles up to `most` urgent and internal actions, urgent ones first, and returns how many. Returns fewer than
    /// `most` only if none is left, or if the store was abandoned. Returns `most` if it delivered a message.
    @inlinable @inline(never)
    func drainBeside<Watcher: PipelineWatcher>(
        _ core: Core,
        _ most: Int,
        _ watcher: inout Watcher
    ) -> Int {
        unowned(unsafe) let consumer = core.consumer
        let pass = DrainPass(core)
        let middleware = middleware
        let hasAfterReduce = middleware.hasAfterReduce
        let own = core.internalQueue
        if pass.stage.isAbandoned { return 0 }
        var isUrgent = pass.stage.takeUrgent()
        var taken = 0
        while taken < most {
            let slot: UnsafeMutablePointer<UInt8>
            var isMeasured = false
            if isUrgent {
                guard let front = consumer.urgent.queue?.front() else {
                    // A producer that has not published its action yet sets the mark afterwards.
                    isUrgent = false
                    continue
                }
                slot = front
                if Watcher.isNone { isMeasured = Slot.isMeasured(slot) }
            } else if let front = own?._withUnsafeGuaranteedRef({ $0.front() }) {
                slot = front
                // By its number, as it has no position in the shared queue.
                isMeasured = core.queue.raw.measures(pass.counters.pointee.reduced &+ 1)
                if isMeasured { Slot.markMeasured(slot) }
            } else {
                consumer.endRow()
                return taken
            }
            let isAsked: Bool
            if Watcher.isNone, isMeasured, let probe = consumer.borrowedProbe {
                var untoldLimit: Int?
                isAsked = handleSampled(core, slot, probe, &untoldLimit)
            } else {
                isAsked = handle(slot, pass, middleware, hasAfterReduce, &watcher)
            }
            if isAsked { _ = consumer.attend() }
            discard(slot)
            if isUrgent {
                consumer.urgent.queue?.pop()
                consumer.urgent.queue?.report()
            } else {
                own?._withUnsafeGuaranteedRef { $0.pop() }
            }
            taken += 1
            if pass.stage.isAsked {
                if pass.stage.takeUrgent() { isUrgent = true }
                if pass.stage.isAbandoned { break }
            }
            if consumer.isTimeForMessages, let slot = core.queue.raw.front(), Slot.isMessage(slot) {
                consumer.takeMessage(slot)
                taken = most
            }
        }
        // The loop stopped early, and urgent actions may be left: the next look must find the mark.
        if isUrgent { consumer.stage.askUrgent() }
        // It may have handled the last one: what comes later is another row.
        if !core.hasBesides { consumer.endRow() }
        return taken
    }

    /// Drops all urgent and internal actions that wait.
    @inlinable
    func dropBeside(_ core: Core) {
        _ = core.consumer.stage.takeUrgent()
        while let queue = core.consumer.urgent.queue, let slot = queue.front() {
            discard(slot)
            queue.pop()
            queue.report()
            core.consumer.noteDropped()
        }
        while let queue = core.ownQueue, let slot = queue.front() {
            discard(slot)
            queue.pop()
            core.consumer.noteDropped()
        }
    }
}
