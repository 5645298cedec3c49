// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

extension StoreCore {
    /// Starts the engine, before the store is shared. Returns the engine in use: `.caller` if the system could not
    /// start a thread.
    @usableFromInline
    func start(_ engine: StoreEngine) -> StoreEngine {
        var used = engine
        used.isOfShard = false
        holdsContexts = engine.isOfShard
        switch engine.kind {
        case .thread(let name, let wait):
            // Before the thread starts: the effects that a recovery begins again may dispatch at once, on any thread.
            let host = ThreadHost(bell: queue.raw.bell)
            use(host, HostEntry(host))
            let loop = ThreadEngine(consumer: consumer, wait: wait)
            // The thread holds the core until the store is closed and everything is finished.
            let started = StoreThread.start(name: name ?? "millrace") { withExtendedLifetime(self) { loop.run() } }
            if !started {
                used = .caller
                useCaller()
            }
        case .caller: useCaller()
        case .queue(let queue): use(QueueEngine(consumer: consumer, core: self, queue: queue.value))
        case .main: use(QueueEngine(consumer: consumer, core: self))
        case .hosted(let factory):
            let host = factory.make(HostedPipeline(consumer: consumer, core: self))
            use(host, HostEntry(host))
        }
        watchForks(queue)
        return used
    }

    /// Whether the calling thread handles the actions, and no other thread is needed: such a store works in a child of
    /// fork.
    var isHandledByCaller: Bool { host?.runsOnCallers == true && !hasQueue && consumer.journal == nil }

    /// Has a child of fork stop at its first dispatch to this queue, unless it can handle the action itself.
    func watchForks(_ queue: ActionQueue<Action>) {
        queue.raw.bell.watchForks(isHandledByCaller ? consumer.baton : nil)
    }

    private func useCaller() {
        let host = CallerEngine(consumer: consumer, core: self)
        use(host, HostEntry(host))
    }

    private func use(_ host: QueueEngine) { use(host, HostEntry(host)) }

    /// The entry is made by the caller, who knows the type of the host.
    private func use(_ host: any PipelineHost, _ entry: HostEntry) {
        self.host = host
        if host.runsOnCallers { consumer.journal?.waitsForEffects = false }
        keptEntry = entry
        hasQueue = host.hasQueue
        needsKick = host.isKicked
        // The baton's handshake needs the full barrier on the producer's side.
        if needsKick { queue.raw.bell.makeSymmetric() }
    }

    /// Makes sure that a consumer runs. If this thread becomes the consumer, the action at `position` is finished when
    /// the call returns.
    @inlinable
    func kick(upTo position: UInt64) { hostEntry?._withUnsafeGuaranteedRef { $0.kick(position) } }

    /// Whether the caller runs on the pipeline's thread or queue, the main queue included. The capacity does not apply
    /// there.
    var isOwnThread: Bool { cell.isRunningHere || (hasQueue && host?.isOnQueue == true) }

    /// Whether the pipeline cannot run until this thread returns. False on the main queue, where the pipeline runs
    /// inline.
    var waitsForItself: Bool { hasQueue && host?.waitsForItself == true }

    /// Whether the engine has set a timer. For tests of idleness.
    var isUpkeepScheduled: Bool { host?.isUpkeepScheduled == true }

    /// Closes the store: it accepts no more actions from outside, and producers that wait for room are resumed. The
    /// pending actions are finished, then the pipeline is released. Any thread, any number of times.
    func close() {
        closeIntake(isOnlyReference: false)
        host?.wake()
    }

    /// Closes the store on behalf of the store object that is being released, which holds the core. If this is the only
    /// reference, no producer exists, so no grace period is needed. Outside of `withState`, a store with the engine
    /// `.caller` has then finished everything when this returns, and so has an idle store on a queue.
    ///
    /// The reference is unmanaged, because in an unoptimised build each use of a managed one is a second reference.
    static func closeReleased(_ core: Unmanaged<StoreCore>) {
        // These outputs refer to the core.
        core._withUnsafeGuaranteedRef { $0.closeContexts() }
        let isOnlyReference = isHeldOnce(core)
        core._withUnsafeGuaranteedRef { $0.closeIntake(isOnlyReference: isOnlyReference) }
        let host = core._withUnsafeGuaranteedRef { $0.host }
        if !isOnlyReference || host?.finishIdle(while: { isHeldOnce(core) }) != true { host?.wake() }
    }

    /// Whether the store object's reference is the only one. Every thread that dispatches holds the core or the store;
    /// the thread of an engine holds the core.
    private static func isHeldOnce(_ core: Unmanaged<StoreCore>) -> Bool {
        var core = core
        let isOnce = withUnsafeMutablePointer(to: &core) {
            $0.withMemoryRebound(to: StoreCore<Action, State>.self, capacity: 1) {
                isKnownUniquelyReferenced(&$0.pointee)
            }
        }
        // Acquiring: the writes of the threads that held a reference before are visible from here on.
        if isOnce { atomicMemoryFence(ordering: .acquiring) }
        return isOnce
    }

    /// Closes the store as `close` does, but never runs the pipeline on this thread.
    func closeElsewhere() {
        closeIntake(isOnlyReference: false)
        host?.wakeElsewhere()
    }

    /// Closes the store. The intake ends when each producer that found the store open has published. The call does not
    /// wait for that: it takes as long as the longest read section of the process.
    private func closeIntake(isOnlyReference: Bool) {
        // Before the grace period begins: a producer that begins a push from here on finds the queue closed.
        queue.raw.close()
        admission?.waiters.close()
        guard consumer.lifecycle.close(isOnlyReference: isOnlyReference) == .waitsForProducers else { return }
        let core = Unmanaged.passRetained(self)
        guard let world = consumer.world else {
            return GracePeriod.after {
                core._withUnsafeGuaranteedRef { $0.endIntake() }
                // Not on this thread, which all stores share: if this is the last reference, a user's destructor may
                // block.
                DispatchQueue.global().async { core.release() }
            }
        }
        #if MILLRACE_PLANTED
            if Planted.has(.noGracePeriod) { return endIntake() }
        #endif
        world.afterGracePeriod {
            core._withUnsafeGuaranteedRef { $0.endIntake() }
            world.elsewhere("release") { core.release() }
        }
    }

    private func endIntake() {
        // Before the host checks for a consumer. Pairs with Consumer.isToFinish, which the consumer reads after it
        // has given the baton back or announced its sleep.
        consumer.lifecycle.endIntake()
        host?.wakeElsewhere()
    }

    /// Closes the store, and drops all actions after the current one. Returns at once.
    func abandon() {
        cell.stage.abandon()
        consumer.journal?.interrupt()
        closeElsewhere()
    }
}
