// SPDX-License-Identifier: Apache-2.0

/// An event that a subject delivers.
@usableFromInline
enum SubjectEvent<Element, ErrorType: Error> {
    case value(Element)
    case completed(ErrorType?)
}

/// A first-in, first-out queue, which allocates nothing as long as it is emptied soon.
@usableFromInline
struct EventQueue<Event> {
    @usableFromInline var events: [Event?] = []
    @usableFromInline var head = 0

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { head == events.count }

    @inlinable
    mutating func append(_ event: Event) {
        events.append(event)
    }

    @inlinable
    mutating func popFirst() -> Event? {
        guard head < events.count else { return nil }
        let event = events[head].take()
        head += 1
        if head == events.count, head <= 64 {
            events.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, 2 * head >= events.count {
            // A copy, so that the memory of a long queue is released.
            events = Array(events[head...])
            head = 0
        }
        return event
    }
}
