// SPDX-License-Identifier: Apache-2.0

import MillraceJournal

/// The only folder of a ``PowerCutDisk``, for one program.
struct PowerCutFolder: JournalFolder {
    let disk: PowerCutDisk
    let life: Int

    var path: String { "journal" }
    var memoryFileSystem: String? { nil }

    private func node(_ name: String, _ call: String) throws(FileError) -> PowerCutDisk.Node {
        guard !disk.isOff, life == disk.life else { throw disk.error(call, name, "there is no power", .other) }
        guard let node = disk.names[name] else { throw disk.error(call, name, "no such file", .missing) }
        return node
    }

    /// A call that changes names: at once for programs, on the disk later.
    private func change(_ call: String, _ name: String, _ change: PowerCutDisk.NameChange) throws(FileError) {
        switch try disk.begin(call, name, life: life) {
        case .full? where call != "unlink": throw disk.error(call, name, "no space", .full)
        case .full?, nil: break
        case .failure?: throw disk.error(call, name, "input/output error", .other)
        case .cut?:
            disk.nameChanges.append(change)
            throw disk.error(call, name, "there is no power", .other)
        }
        disk.nameChanges.append(change)
        disk.apply(change, &disk.names)
    }

    func names() throws(FileError) -> [String] {
        guard !disk.isOff, life == disk.life else { throw disk.error("readdir", path, "there is no power", .other) }
        return Array(disk.names.keys)
    }

    func open(_ name: String, forWriting: Bool) throws(FileError) -> PowerCutFile {
        PowerCutFile(disk, try node(name, "open"), name, life)
    }

    func create(_ name: String) throws(FileError) -> PowerCutFile {
        guard disk.names[name] == nil else { throw disk.error("open", name, "it exists", .exists) }
        let node = disk.makeNode()
        try change("open", name, PowerCutDisk.NameChange(added: (name, node)))
        return PowerCutFile(disk, node, name, life)
    }

    func openOrCreate(_ name: String) throws(FileError) -> PowerCutFile {
        if disk.names[name] != nil { return try open(name, forWriting: true) }
        return try create(name)
    }

    func rename(_ name: String, to newName: String) throws(FileError) {
        let node = try node(name, "rename")
        guard disk.names[newName] == nil else { throw disk.error("rename", newName, "it exists", .exists) }
        try change("rename", name, PowerCutDisk.NameChange(removed: name, added: (newName, node)))
    }

    func remove(_ name: String) throws(FileError) {
        _ = try node(name, "unlink")
        try change("unlink", name, PowerCutDisk.NameChange(removed: name))
    }

    func sync() throws(FileError) {
        if let fault = try disk.begin("fsync", path, life: life) {
            if case .failure = fault { disk.nameChanges = [] }
            throw disk.error("fsync", path, "input/output error", fault == .full ? .full : .other)
        }
        for change in disk.nameChanges { disk.apply(change, &disk.storedNames) }
        disk.nameChanges = []
    }

    func identity(of name: String) throws(FileError) -> FileIdentity? {
        disk.names[name].map { FileIdentity(device: 1, number: $0.number) }
    }
}

/// A file of a ``PowerCutDisk``.
final class PowerCutFile: JournalFile, @unchecked Sendable {
    // Unchecked because the disk belongs to one thread.
    private let disk: PowerCutDisk
    private let node: PowerCutDisk.Node
    private let name: String
    private let life: Int
    private var hasLock = false

    init(_ disk: PowerCutDisk, _ node: PowerCutDisk.Node, _ name: String, _ life: Int) {
        self.disk = disk
        self.node = node
        self.name = name
        self.life = life
    }

    deinit {
        if hasLock, life == disk.life { node.isLocked = false }
    }

    func size() throws(FileError) -> Int { node.seen.count }

    func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        guard !disk.isOff, life == disk.life else { throw disk.error("read", name, "there is no power", .other) }
        let count = min(target.count, max(0, node.seen.count - offset))
        if count > 0 {
            node.seen.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
        }
        return count
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        let fault = try disk.begin("write", name, life: life)
        let count = fault == nil ? bytes.count : Int.random(in: 0..<max(1, bytes.count), using: &disk.random)
        let written = Array(bytes[..<count])
        node.pending.append(.write(written, at: offset))
        PowerCutDisk.copy(written[...], to: &node.seen, offset)
        if let fault { throw disk.error("write", name, "\(fault)", fault == .full ? .full : .other) }
    }

    func sync() throws(FileError) {
        if let fault = try disk.begin("fdatasync", name, life: life) {
            // The system holds the bytes for written although they are not.
            if case .failure = fault { node.pending = [] }
            throw disk.error("fdatasync", name, "\(fault)", fault == .full ? .full : .other)
        }
        for change in node.pending {
            switch change {
            case .write(let bytes, let offset): PowerCutDisk.copy(bytes[...], to: &node.stored, offset)
            case .truncate(let size): PowerCutDisk.resize(&node.stored, size)
            }
        }
        node.pending = []
    }

    func reserve(_ bytes: Int) throws(FileError) {
        if let fault = try disk.begin("fallocate", name, life: life) {
            throw disk.error("fallocate", name, "\(fault)", fault == .full ? .full : .other)
        }
    }

    func truncate(to bytes: Int) throws(FileError) {
        let fault = try disk.begin("ftruncate", name, life: life)
        if fault == nil || fault == .cut { node.pending.append(.truncate(bytes)) }
        if let fault, fault != .full { throw disk.error("ftruncate", name, "\(fault)", .other) }
        PowerCutDisk.resize(&node.seen, bytes)
    }

    func lock() throws(FileError) -> Bool {
        guard !node.isLocked else { return false }
        node.isLocked = true
        hasLock = true
        return true
    }

    func identity() throws(FileError) -> FileIdentity { FileIdentity(device: 1, number: node.number) }
}
