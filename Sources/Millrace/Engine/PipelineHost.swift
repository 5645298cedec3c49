// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization

/// Makes sure that a thread runs the pipeline of one store whenever there is something to do. Each engine is one;
/// another target may bring its own, by ``StoreEngine/hosted(_:)``.
package protocol PipelineHost: AnyObject, Sendable {
    /// Whether producers call ``kick(upTo:)`` after each push. Otherwise they only ring the doorbell. Constant.
    var isKicked: Bool { get }

    /// Called by a producer after a push. Any thread. If this thread becomes the consumer, the action at `position` is
    /// finished when the call returns.
    func kick(upTo position: UInt64)

    /// Makes the consumer check the queue and the end of the intake. Any thread; may run the pipeline on this one.
    func wake()

    /// The same, but never runs the pipeline on this thread.
    func wakeElsewhere()

    /// Makes the consumer look for urgent actions. If a dispatch made here runs the pipeline before it returns, so does
    /// this call.
    func wakeForUrgent()

    /// Ends the pipeline on this thread if nothing is pending, so that its middlewares are released now; otherwise
    /// wakes the consumer. Returns false if it did neither. Called after the intake has ended, by the holder of the
    /// only strong reference to the core; `isHeldOnce` says whether it still is the only one.
    func finishIdle(while isHeldOnce: () -> Bool) -> Bool

    /// Whether the host has a queue, so that the next two have to be asked. Constant.
    var hasQueue: Bool { get }

    /// Whether the caller runs on the queue of this host. The capacity does not apply there.
    var isOnQueue: Bool { get }

    /// Whether the pipeline cannot run until this thread returns.
    var waitsForItself: Bool { get }

    /// Whether a thread that dispatches may run the pipeline. Constant.
    var runsOnCallers: Bool { get }

    /// Whether a timer is set. For tests of idleness.
    var isUpkeepScheduled: Bool { get }
}

extension PipelineHost {
    package var isKicked: Bool { true }
    package func wakeElsewhere() { wake() }
    package func wakeForUrgent() { wake() }
    package func finishIdle(while isHeldOnce: () -> Bool) -> Bool { false }
    package var hasQueue: Bool { false }
    package var isOnQueue: Bool { false }
    package var waitsForItself: Bool { false }
    package var runsOnCallers: Bool { false }
    package var isUpkeepScheduled: Bool { false }
}

/// Calls a host after a push without a reference count, which a call of the existential would take. The closure is made
/// where the type of the host is known, so that it is one call.
@usableFromInline
final class HostEntry: Sendable {
    /// As ``PipelineHost/kick(upTo:)``.
    @usableFromInline let kick: @Sendable (_ position: UInt64) -> Void

    init(_ host: some PipelineHost) {
        kick = { host.kick(upTo: $0) }
    }
}

/// The pipeline of one store, for a host of another target.
package struct HostedPipeline: Sendable {
    let consumer: Consumer
    /// The store's core. Not retained: it holds the host.
    package unowned(unsafe) let core: any AnyObject & Sendable

    init(consumer: Consumer, core: any AnyObject & Sendable) {
        self.consumer = consumer
        self.core = core
    }

    /// Handles up to `most` slots, publishes as the store's pacing asks, and ends a closed store whose queue is empty.
    /// Returns true if there may be more. One thread at a time; the caller must keep the store, or an output of it,
    /// alive.
    package func turn(atMost most: Int) -> Bool {
        var retired: RetiredPipeline?
        let mayHaveMore = consumer.asConsumer {
            // The steps of a simulated world must not depend on the system's clock.
            let isOfSystem = consumer.world == nil
            if isOfSystem { consumer.beginTurn(TickClock.now) }
            let mayHaveMore = consumer.drainOnce(atMost: most)
            consumer.publishAfterBatch()
            if !mayHaveMore {
                if isOfSystem { consumer.endTurn(TickClock.now) }
                if consumer.isToFinish { retired = consumer.finish() }
            }
            return mayHaveMore || consumer.hasInternal || mayGoBehindGap
        }
        if let retired = retired.take() { consumer.end(retired) }
        return mayHaveMore
    }

    /// Whether a producer is stopped in the middle of a dispatch, and another turn may handle actions behind its slot. A
    /// turn that meets such a slot first does not. Not while a journal holds the pipeline back.
    private var mayGoBehindGap: Bool {
        !consumer.isFinished && consumer.queue.isStalled && consumer.queue.hasReadyBehindGap
            && consumer.journal?.isConnected.load(ordering: .acquiring) != false
    }

    /// The front of the shared queue, behind slots that were handled in windows.
    private var front: UnsafeMutablePointer<UInt8>? {
        while let slot = consumer.queue.front() {
            guard Slot.flags(slot) & Slot.handled != 0 else { return slot }
            consumer.queue.popHandled()
        }
        return nil
    }

    /// Publishes the state if a publication is due. Returns the nanoseconds until the next one; nil: there is nothing
    /// to publish, or only on demand. One thread at a time, as for ``turn(atMost:)``. Subscribers may dispatch:
    /// ``hasInternal``.
    package func publishIfDue() -> UInt64? {
        consumer.asConsumer {
            if consumer.nanosecondsToPublication() == 0 { consumer.publishIfDirty() }
            return consumer.nanosecondsToPublication()
        }
    }

    /// Gives back the memory of a busy time. Returns whether some of it cannot be given back yet. One thread at a time,
    /// as for ``turn(atMost:)``.
    package func tidy() -> Bool { consumer.asConsumer { consumer.tidy() } }

    /// The kind of the action that the next turn begins with; nil if it begins with a message, or nothing waits. One
    /// thread at a time, as for ``turn(atMost:)``.
    package var nextActionKind: String? {
        let beside = consumer.urgent.queue?.front() ?? consumer.internalQueue?.front()
        guard let slot = beside ?? front, !Slot.isMessage(slot) else { return nil }
        return consumer.names?.kindOfAction(slot)
    }

    /// Whether internal actions wait: the next turn must come soon, and no ``PipelineHost/kick(upTo:)`` asks for it.
    /// One thread at a time, as for ``turn(atMost:)``.
    package var hasInternal: Bool { consumer.hasInternal }

    /// Has the pipeline drop what waits, as after the deadline of a shutdown. Any thread.
    package func abandon() { consumer.stage.abandon() }

    /// Whether something waits. One thread at a time, as for ``turn(atMost:)``.
    package var hasWork: Bool { consumer.hasWork }

    /// Changes whenever the pipeline has taken something. One thread at a time, as for ``turn(atMost:)``.
    package var progress: UInt64 {
        let counters = consumer.counters.pointee
        return consumer.queue.position &+ counters.reduced &+ counters.cancelled &+ counters.droppedFromQueue
    }

    /// Whether the next turn begins with an action that would be handled: not with a message, and not with an action
    /// whose effect was cancelled. One thread at a time, as for ``turn(atMost:)``.
    package var beginsWithAction: Bool {
        let beside = consumer.urgent.queue?.front() ?? consumer.internalQueue?.front()
        guard let slot = beside ?? front, !Slot.isMessage(slot) else { return false }
        return !Slot.isRevoked(slot)
    }

    /// Whether the store is closed, and its pipeline has not ended.
    package var isClosing: Bool { consumer.isClosed && !consumer.isFinished }

    /// Whether the pipeline has ended.
    package var isFinished: Bool { consumer.isFinished }
}

/// Makes the host of a store, when the store is made.
@usableFromInline
final class HostFactory: Sendable, Hashable {
    let world: (any StoreWorld)?
    let make: @Sendable (HostedPipeline) -> any PipelineHost

    init(_ world: (any StoreWorld)?, _ make: @escaping @Sendable (HostedPipeline) -> any PipelineHost) {
        self.world = world
        self.make = make
    }

    @usableFromInline
    static func == (left: HostFactory, right: HostFactory) -> Bool { left === right }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
