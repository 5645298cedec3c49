// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A buffer between the pipeline, which adds states and never waits, and one reader, which takes them.
///
/// Continuations are resumed and dropped states are destroyed after the lock was released, because the code that runs
/// then may call this buffer again.
final class StateBuffer<Element: Sendable>: Sendable {
    /// The result of taking an element.
    enum Found {
        case element(Element, dropped: Int)
        case nothing
        /// The end, with the number of elements that were dropped after the last one.
        case end(dropped: Int)
    }

    private struct Contents: Sendable {
        var ring = StateRing<Element>()
        /// The number of elements dropped since the newest element of the ring was added.
        var dropped = 0
        var waiter: Resumption<Void>?
        var isEnded = false
    }

    private let contents = Locked(Contents())
    private let buffering: StateBuffering

    init(_ buffering: StateBuffering) {
        self.buffering = buffering
    }

    /// Adds an element and wakes the reader, which takes an element when its task runs. Called by the pipeline.
    func push(_ element: Element) {
        let (waiter, displaced) = contents.withLock { contents in
            guard !contents.isEnded else { return (nil as Resumption<Void>?, nil as Element?) }
            let displaced = add(element, to: &contents)
            return (contents.waiter.take(), displaced)
        }
        waiter?.resume()
        withExtendedLifetime(displaced) {}
    }

    /// Adds an element according to the buffering policy. Returns the element that it replaced in the buffer.
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

    /// Takes the oldest element. Called by the reader.
    func take() -> Found {
        contents.withLock { contents in
            if let first = contents.ring.popFirst() { return .element(first.element, dropped: first.dropped) }
            guard contents.isEnded else { return .nothing }
            defer { contents.dropped = 0 }
            return .end(dropped: contents.dropped)
        }
    }

    /// Waits until there is an element, or the end. Called by the reader after it found nothing.
    func wait(isolation: isolated (any Actor)? = #isolation) async {
        await suspend { continuation in
            let mayGo: Bool? = contents.withLock { contents in
                guard contents.waiter == nil else { return nil }
                if contents.isEnded || contents.ring.count > 0 { return true }
                contents.waiter = continuation
                return false
            }
            guard let mayGo else {
                System.stop("two tasks wait for one iterator of a store's states: make an iterator for each")
            }
            if mayGo { continuation.resume() }
        }
    }

    /// Ends the adding of elements. The reader can still take the elements in the buffer.
    func finish() {
        let waiter = contents.withLock { contents in
            contents.isEnded = true
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Ends the taking of elements, and drops the elements in the buffer.
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
