// SPDX-License-Identifier: Apache-2.0

/// A queue: the first leaves in constant time, any other in linear time.
struct Fifo<Element> {
    private var items: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == items.count }
    var count: Int { items.count - head }
    var first: Element? { isEmpty ? nil : items[head] }
    var all: [Element] { items[head...].compactMap { $0 } }

    mutating func append(_ element: Element) {
        items.append(element)
    }

    @discardableResult
    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = items[head]
        items[head] = nil
        head += 1
        if head >= 16, head * 2 >= items.count {
            items.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeFirst(where isWanted: (Element) -> Bool) -> Element? {
        guard let index = items[head...].firstIndex(where: { $0.map(isWanted) ?? false }) else { return nil }
        return index == head ? popFirst() : items.remove(at: index)
    }
}
