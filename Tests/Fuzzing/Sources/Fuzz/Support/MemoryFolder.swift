// SPDX-License-Identifier: Apache-2.0

@testable import MillraceJournal

/// The folder of a journal in memory. One thread at a time.
final class MemoryFolder: JournalFolder, @unchecked Sendable {
    // Unchecked because a target uses one thread.

    final class Node {
        var bytes: [UInt8]
        var isLocked = false
        let number: UInt64

        init(_ bytes: [UInt8], _ number: UInt64) {
            self.bytes = bytes
            self.number = number
        }
    }

    let path = "journal"
    let memoryFileSystem: String? = nil
    private var nodes: [String: Node] = [:]
    private var made: UInt64 = 0

    /// The files with their bytes.
    var files: [String: [UInt8]] {
        get { nodes.mapValues(\.bytes) }
        set {
            nodes = newValue.mapValues { bytes in
                made += 1
                return Node(bytes, made)
            }
        }
    }

    init(_ files: [String: [UInt8]] = [:]) {
        self.files = files
    }

    private func node(_ name: String) throws(FileError) -> Node {
        if let node = nodes[name] { return node }
        throw FileError(call: "open", path: name, reason: "no such file", meaning: .missing)
    }

    func names() throws(FileError) -> [String] { nodes.keys.sorted() }

    func open(_ name: String, forWriting: Bool) throws(FileError) -> MemoryFile { MemoryFile(try node(name)) }

    func create(_ name: String) throws(FileError) -> MemoryFile {
        guard nodes[name] == nil else {
            throw FileError(call: "open", path: name, reason: "it exists", meaning: .exists)
        }
        made += 1
        let node = Node([], made)
        nodes[name] = node
        return MemoryFile(node)
    }

    func openOrCreate(_ name: String) throws(FileError) -> MemoryFile {
        nodes[name] == nil ? try create(name) : try open(name, forWriting: true)
    }

    func rename(_ name: String, to newName: String) throws(FileError) {
        let node = try node(name)
        guard nodes[newName] == nil else {
            throw FileError(call: "rename", path: newName, reason: "it exists", meaning: .exists)
        }
        (nodes[name], nodes[newName]) = (nil, node)
    }

    func remove(_ name: String) throws(FileError) {
        _ = try node(name)
        nodes[name] = nil
    }

    func sync() throws(FileError) {}

    func identity(of name: String) throws(FileError) -> FileIdentity? {
        nodes[name].map { FileIdentity(device: 1, number: $0.number) }
    }
}

final class MemoryFile: JournalFile, @unchecked Sendable {
    // Unchecked because a target uses one thread.
    private let node: MemoryFolder.Node
    private var hasLock = false

    init(_ node: MemoryFolder.Node) {
        self.node = node
    }

    deinit {
        if hasLock { node.isLocked = false }
    }

    func size() throws(FileError) -> Int { node.bytes.count }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        let count = min(target.count, max(0, node.bytes.count - offset))
        if count > 0 {
            node.bytes.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
        }
        return count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        if node.bytes.count < offset + bytes.count { try truncate(to: offset + bytes.count) }
        node.bytes.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }

    func sync() throws(FileError) {}
    func reserve(_ bytes: Int) throws(FileError) {}

    func truncate(to bytes: Int) throws(FileError) {
        let missing = bytes - node.bytes.count
        if missing < 0 { node.bytes.removeLast(-missing) }
        if missing > 0 { node.bytes += [UInt8](repeating: 0, count: missing) }
    }

    func lock() throws(FileError) -> Bool {
        guard !node.isLocked else { return false }
        (node.isLocked, hasLock) = (true, true)
        return true
    }

    func identity() throws(FileError) -> FileIdentity { FileIdentity(device: 1, number: node.number) }
}
