// SPDX-License-Identifier: Apache-2.0

/// The kinds that have occurred, by tag. Only the consumer uses the table.
///
/// Kind 0 is `other`. The table takes 8 KiB, and the names. If kinds are told apart by type, each kind takes some 24
/// bytes more.
final class KindTable {
    /// The most tags, and the most kinds.
    static let most = 4096
    static let unknown = UInt16.max
    /// The size of the table by tag, in bytes.
    static let bytes = most * MemoryLayout<UInt16>.stride

    /// Reads the tag of the action at an address, if the tag is not an enum's.
    private enum Reader {
        case none
        case closure((UnsafeRawPointer) -> Int)
        case type((UnsafeRawPointer) -> ObjectIdentifier)
    }

    private let witness: EnumTag?
    private let reader: Reader
    private let name: (UnsafeRawPointer, Int) -> String?
    private let kindByTag: UnsafeMutablePointer<UInt16>
    private var tagByType: [ObjectIdentifier: Int] = [:]

    /// The names, by kind. Names are only ever added.
    private(set) var names = ["other"]

    init(witness: EnumTag, name: @escaping (UnsafeRawPointer, Int) -> String?) {
        self.witness = witness
        reader = .none
        self.name = name
        kindByTag = Self.emptyTable()
    }

    init(tag: @escaping (UnsafeRawPointer) -> Int, name: @escaping (UnsafeRawPointer, Int) -> String?) {
        witness = nil
        reader = .closure(tag)
        self.name = name
        kindByTag = Self.emptyTable()
    }

    init(
        typeOf: @escaping (UnsafeRawPointer) -> ObjectIdentifier,
        name: @escaping (UnsafeRawPointer, Int) -> String?
    ) {
        witness = nil
        reader = .type(typeOf)
        self.name = name
        kindByTag = Self.emptyTable()
    }

    deinit {
        kindByTag.deallocate()
    }

    private static func emptyTable() -> UnsafeMutablePointer<UInt16> {
        let table = UnsafeMutablePointer<UInt16>.allocate(capacity: most)
        table.initialize(repeating: unknown, count: most)
        return table
    }

    /// Returns the kind of the action at an address.
    @inline(__always)
    func kind(of action: UnsafeRawPointer) -> Int {
        guard let witness else { return kind(readTag(of: action), action) }
        let tag = witness(action)
        guard tag < Self.most, kindByTag[tag] != Self.unknown else { return kind(tag, action) }
        return Int(kindByTag[tag])
    }

    /// Out of line, so that the short path needs no more registers than its caller.
    @inline(never)
    private func kind(_ tag: Int, _ action: UnsafeRawPointer) -> Int {
        guard tag >= 0, tag < Self.most else { return 0 }
        let kind = kindByTag[tag]
        return kind != Self.unknown ? Int(kind) : addKind(tag, of: action)
    }

    @inline(never)
    private func readTag(of action: UnsafeRawPointer) -> Int {
        switch reader {
        case .none: 0
        case .closure(let read): read(action)
        case .type(let typeOf): tag(of: typeOf(action))
        }
    }

    private func tag(of type: ObjectIdentifier) -> Int {
        if let tag = tagByType[type] { return tag }
        guard tagByType.count < Self.most else { return -1 }
        tagByType[type] = tagByType.count
        return tagByType.count - 1
    }

    private func addKind(_ tag: Int, of action: UnsafeRawPointer) -> Int {
        var kind = 0
        if names.count < Self.most, let name = name(action, tag) {
            kind = names.count
            names.append(name)
        }
        kindByTag[tag] = UInt16(kind)
        return kind
    }
}
