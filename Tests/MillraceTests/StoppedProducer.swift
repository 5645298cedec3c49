// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Dispatch
import TestSupport

@testable import Millrace

/// A producer that was stopped between the claim of its slot and the publication.
///
/// Its read section would keep all stores of the process from ending, those of other tests, too. So it leaves the section
/// meanwhile, unless the store is to be closed before it publishes. The pipeline cannot pop the slot, so its memory stays.
final class StoppedProducer: Sendable {
    private let mayPublish = DispatchSemaphore(value: 0)
    private let hasPublished = DispatchSemaphore(value: 0)

    /// Claims a slot, on a thread of its own. `whenPublished` is called on that thread.
    init<Action: Sendable>(
        _ queue: QueueHandle,
        _ action: Action,
        staysInSection: Bool = false,
        whenPublished: @escaping @Sendable () -> Void = {}
    ) {
        let hasClaimed = DispatchSemaphore(value: 0)
        onNewThread { [mayPublish, hasPublished] in
            millrace_read_begin()
            var claim = millrace_claim()
            guard millrace_queue_claim(queue.pointer, 1, &claim) == MILLRACE_OK, let slot = claim.slot else {
                preconditionFailure("no memory for a slot")
            }
            if !staysInSection { millrace_read_end() }
            hasClaimed.signal()
            mayPublish.wait()
            if !staysInSection { millrace_read_begin() }
            let bytes = UnsafeMutableRawPointer(slot)
            Slot.write(bytes, SlotHeader(.here(), .none, nil, isStamping: false))
            (bytes + ActionQueue<Action>.payloadOffset).initializeMemory(as: Action.self, to: action)
            millrace_queue_publish(queue.pointer, slot, claim.position, 0)
            millrace_read_end()
            hasPublished.signal()
            whenPublished()
        }
        hasClaimed.wait()
    }

    func publish() { mayPublish.signal() }

    /// Publishes, and kicks the store as a dispatch does. Returns when that is done.
    func publish<Action, State>(to core: StoreCore<Action, State>) {
        mayPublish.signal()
        hasPublished.wait()
        core.kick(upTo: 0)
    }
}
