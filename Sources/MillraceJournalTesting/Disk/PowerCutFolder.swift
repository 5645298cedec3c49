// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
package import MillraceJournal

/// The only folder of a ``PowerCutDisk``, for one program.
package struct PowerCutFolder: JournalFolder {
    package let disk: PowerCutDisk
    package let life: Int
    package let syncs: FolderSyncs?

    package var path: String { "journal" }
    package var memoryFileSystem: String? { nil }
    package var world: (any StoreWorld)? { disk.world }

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

    package func names() throws(FileError) -> [String] {
        guard !disk.isOff, life == disk.life else { throw disk.error("readdir", path, "there is no power", .other) }
        return disk.names.keys.sorted()
    }

    package func open(_ name: String, forWriting: Bool) throws(FileError) -> PowerCutFile {
        PowerCutFile(disk, try node(name, "open"), name, life)
    }

    package func create(_ name: String) throws(FileError) -> PowerCutFile {
        guard disk.names[name] == nil else { throw disk.error("open", name, "it exists", .exists) }
        let node = disk.makeNode()
        try change("open", name, PowerCutDisk.NameChange(added: (name, node)))
        return PowerCutFile(disk, node, name, life)
    }

    package func openOrCreate(_ name: String) throws(FileError) -> PowerCutFile {
        if disk.names[name] != nil { return try open(name, forWriting: true) }
        return try create(name)
    }

    package func rename(_ name: String, to newName: String) throws(FileError) {
        let node = try node(name, "rename")
        guard disk.names[newName] == nil else { throw disk.error("rename", newName, "it exists", .exists) }
        try change("rename", name, PowerCutDisk.NameChange(removed: name, added: (newName, node)))
    }

    package func remove(_ name: String) throws(FileError) {
        _ = try node(name, "unlink")
        try change("unlink", name, PowerCutDisk.NameChange(removed: name))
    }

    package func sync() throws(FileError) {
        if let fault = try disk.begin("fsync", path, life: life) {
            if case .failure = fault { disk.nameChanges = [] }
            throw disk.error("fsync", path, "input/output error", fault == .full ? .full : .other)
        }
        for change in disk.nameChanges { disk.apply(change, &disk.storedNames) }
        disk.nameChanges = []
    }

    package func identity(of name: String) throws(FileError) -> FileIdentity? {
        disk.names[name].map { FileIdentity(device: 1, number: $0.number) }
    }
}
