// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

/// Says where an element is, writes down that it was asked, and must not be searched.
struct Oracle: KeyedCollection, Sendable {
    var elements: [Item]
    let asked: Recorder<Int>

    var startIndex: Int { searched(0) }
    var endIndex: Int { searched(elements.count) }

    func index(after index: Int) -> Int { index + 1 }

    func index(id: Int) -> Int? {
        asked.record(id)
        return elements.indices.contains(id) ? id : nil
    }

    subscript(position: Int) -> Item {
        get { elements[position] }
        set { elements[position] = newValue }
    }

    private func searched(_ index: Int) -> Int {
        Issue.record("searched")
        return index
    }
}

extension ElementIDAction {
    /// Writable, as the paths of lifts are.
    var optional: ElementIDAction? {
        get { self }
        set { if let newValue { self = newValue } }
    }
}
