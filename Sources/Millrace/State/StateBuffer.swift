// SPDX-License-Identifier: Apache-2.0

import CMillrace
import MillraceCore

/// What lies between the pipeline, which puts states in and never waits, and one consumer, which takes them out.
///
/// Continuations are resumed, and states that are dropped destroyed, after the lock is given back: what they do then
/// may come back here.
final class StateBuffer<Element: Sendable>: Sendable {
    /// What a consumer finds.
    enum Found {
        case element(Element, dropped: Int)
        case nothing
        /// Also those that were dropped after the last element.
        case end(dropped: Int)
    }

    private struct Contents: Sendable {
        var ring = StateRing<Element>()
        /// Since the newest element of the ring.
        var dropped = 0
        var waiter: CheckedContinuation<Void, Never>?
        var isEnded = false
    }

    private let contents = Locked(Contents())
    private let buffering: StateBuffering

    init(_ buffering: StateBuffering) {
        self.buffering = buffering
    }

    /// The pipeline's. Wakes the consumer, which takes what is newest when it comes to run.
    func push(_ element: Element) {
        let (waiter, displaced) = contents.withLock { contents in
            guard !contents.isEnded else { return (nil as CheckedContinuation<Void, Never>?, nil as Element?) }
            let displaced = add(element, to: &contents)
            return (contents.waiter.take(), displaced)
        }
        waiter?.resume()
        withExtendedLifetime(displaced) {}
    }

    /// Returns the element that had to go.
    private func add(_ element: Element, to contents: inout Contents) -> Element? {
        let isFull = contents.ring.count == buffering.limit
        if isFull, !buffering.keepsNewest {
            contents.dropped += 1
            return nil
        }
        let oldest = isFull ? contents.ring.popFirst() : nil
        contents.ring.append(element, dropped: contents.dropped)
        contents.dropped = 0
        if let oldest { contents.ring.addDropped(oldest.dropped + 1) }
        return oldest?.element
    }

    /// The consumer's.
    func take() -> Found {
        contents.withLock { contents in
            if let first = contents.ring.popFirst() { return .element(first.element, dropped: first.dropped) }
            guard contents.isEnded else { return .nothing }
            defer { contents.dropped = 0 }
            return .end(dropped: contents.dropped)
        }
    }

    /// The consumer's, when it found nothing: returns when there is something, or the end.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        await withCheckedContinuation { continuation in
            let mayGo: Bool? = contents.withLock { contents in
                guard contents.waiter == nil else { return nil }
                if contents.isEnded || contents.ring.count > 0 { return true }
                contents.waiter = continuation
                return false
            }
            guard let mayGo else {
                millrace_stop("two tasks wait for one iterator of a store's states: make an iterator for each")
            }
            if mayGo { continuation.resume() }
        }
    }

    /// No more will be put in; what is here can still be taken.
    func finish() {
        let waiter = contents.withLock { contents in
            contents.isEnded = true
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Nobody will take any more, what is here goes.
    func close() {
        let (waiter, ring) = contents.withLock { contents in
            defer { contents.ring = StateRing() }
            contents.isEnded = true
            contents.dropped = 0
            return (contents.waiter.take(), contents.ring)
        }
        waiter?.resume()
        withExtendedLifetime(ring) {}
    }
}
