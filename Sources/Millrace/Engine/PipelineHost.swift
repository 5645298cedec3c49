// SPDX-License-Identifier: Apache-2.0

/// Makes sure that a thread runs the pipeline of one store whenever there is something to do. Each engine is one; another
/// target may bring its own, by ``StoreEngine/hosted(_:)``.
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

    /// Whether the host has a queue, so that the next two have to be asked. Constant.
    var hasQueue: Bool { get }

    /// Whether the caller runs on the queue of this host. The capacity does not apply there.
    var isOnQueue: Bool { get }

    /// Whether the pipeline cannot run until this thread returns.
    var waitsForItself: Bool { get }

    /// Whether a timer is set. For tests of idleness.
    var isUpkeepScheduled: Bool { get }
}

extension PipelineHost {
    package var isKicked: Bool { true }
    package func wakeElsewhere() { wake() }
    package var hasQueue: Bool { false }
    package var isOnQueue: Bool { false }
    package var waitsForItself: Bool { false }
    package var isUpkeepScheduled: Bool { false }
}

/// Calls a host after a push without a reference count, which a call of the existential would take.
class HostEntry: @unchecked Sendable {
    // Unchecked because a class with subclasses cannot be proved Sendable; the one below has a constant.
    func kick(upTo position: UInt64) {}

    static func make(_ host: some PipelineHost) -> HostEntry { Entry(host) }

    private final class Entry<Host: PipelineHost>: HostEntry, @unchecked Sendable {
        private let host: Host

        init(_ host: Host) {
            self.host = host
        }

        override func kick(upTo position: UInt64) { host.kick(upTo: position) }
    }
}

/// The pipeline of one store, for a host of another target.
package struct HostedPipeline: Sendable {
    let consumer: Consumer

    /// Handles up to `most` slots, publishes as the store's pacing asks, and ends a closed store whose queue is empty.
    /// Returns true if there may be more. One thread at a time; the caller must keep the store, or an output of it, alive.
    package func turn(atMost most: Int) -> Bool {
        var retired: RetiredPipeline?
        let mayHaveMore = consumer.asConsumer {
            let mayHaveMore = consumer.drainOnce(atMost: most)
            consumer.publishAfterBatch()
            if !mayHaveMore, consumer.isToFinish { retired = consumer.finish() }
            return mayHaveMore
        }
        if let retired = retired.take() { consumer.end(retired) }
        return mayHaveMore
    }

    /// Whether the pipeline has ended.
    package var isFinished: Bool { consumer.isFinished }
}

/// Makes the host of a store, when the store is made.
@usableFromInline
final class HostFactory: Sendable, Hashable {
    let make: @Sendable (HostedPipeline) -> any PipelineHost

    init(_ make: @escaping @Sendable (HostedPipeline) -> any PipelineHost) {
        self.make = make
    }

    @usableFromInline
    static func == (left: HostFactory, right: HostFactory) -> Bool { left === right }

    @usableFromInline
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
