// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Text in a storage that is copied when it is changed while another value shares it; counts those copies.
struct CountedText: Hashable, Sendable, ExpressibleByStringLiteral {
    private final class Storage: @unchecked Sendable {
        // Unchecked: changed only while a single value refers to it.
        var text: String
        init(_ text: String) { self.text = text }
    }

    private var storage: Storage
    private(set) var copies = 0

    init(stringLiteral text: String) { storage = Storage(text) }

    var text: String { storage.text }

    mutating func append(_ more: String) {
        if !isKnownUniquelyReferenced(&storage) {
            storage = Storage(storage.text)
            copies += 1
        }
        storage.text += more
    }

    static func == (lhs: CountedText, rhs: CountedText) -> Bool { lhs.text == rhs.text }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

struct Item: Hashable, Sendable, Identifiable {
    var id: Int
    var text: CountedText = ""
    var name = ""
}

enum ItemAction: Hashable, Sendable {
    case add(String)
    case rename(Int)
}

/// Not Equatable, on purpose.
struct Opaque: Sendable {
    var number: Int
    var text: String
}

enum ShopAction: Hashable, Sendable {
    case item(ElementIDAction<Int, ItemAction>)
    case named(ElementIDAction<String, ItemAction>)
    case row(ElementIndexAction<Int, ItemAction>)
    case all(ItemAction)
    case remove(Int)
    case tick

    static func add(_ id: Int, _ text: String) -> ShopAction { .item(ElementIDAction(id: id, action: .add(text))) }

    var item: ElementIDAction<Int, ItemAction>? {
        get { if case .item(let action) = self { action } else { nil } }
        set { if case .item = self, let newValue { self = .item(newValue) } }
    }

    /// Takes nothing: a mistake that happens.
    var deafItem: ElementIDAction<Int, ItemAction>? {
        get { item }
        set {}
    }

    var named: ElementIDAction<String, ItemAction>? {
        get { if case .named(let action) = self { action } else { nil } }
        set { if case .named = self, let newValue { self = .named(newValue) } }
    }

    var row: ElementIndexAction<Int, ItemAction>? {
        if case .row(let action) = self { action } else { nil }
    }

    var all: ItemAction? {
        if case .all(let action) = self { action } else { nil }
    }
}

struct ShopState: Hashable, Sendable {
    var items = [Item(id: 3), Item(id: 1), Item(id: 2)]
    var keyed: KeyedArray = [Item(id: 3), Item(id: 1), Item(id: 2)]
    var table = [3: Item(id: 3), 1: Item(id: 1)]
    var names = ["x": Item(id: 7)]
    var chosen: Item?
    var writes = 0

    var observedItems: [Item] {
        get { items }
        set {
            items = newValue
            writes += 1
        }
    }

    var observedChoice: Item? {
        get { chosen }
        set {
            chosen = newValue
            writes += 1
        }
    }
}

enum Screen: Hashable, Sendable {
    case start
    case detail(Item)

    var detail: Item? {
        get { if case .detail(let item) = self { item } else { nil } }
        set { if case .detail = self, let newValue { self = .detail(newValue) } }
    }
}

let itemReducer = Reducer<ItemAction, Item>.reduce { action, item in
    switch action {
    case .add(let text): item.text.append(text)
    case .rename(let id): item.id = id
    }
}
