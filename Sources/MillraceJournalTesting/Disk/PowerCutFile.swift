// SPDX-License-Identifier: Apache-2.0

package import MillraceJournal

/// A file of a ``PowerCutDisk``.
package final class PowerCutFile: JournalFile, @unchecked Sendable {
    // Unchecked because the disk belongs to one thread at a time.
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

    package func size() throws(FileError) -> Int { node.seen.count }

    package func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
        guard !disk.isOff, life == disk.life else { throw disk.error("read", name, "there is no power", .other) }
        let count = min(target.count, max(0, node.seen.count - offset))
        if count > 0 {
            node.seen.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
        }
        return count
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileError) {
        let fault = try disk.begin("write", name, life: life)
        let count = fault == nil ? bytes.count : Int.random(in: 0..<max(1, bytes.count), using: &disk.random)
        let written = Array(bytes[..<count])
        node.pending.append(.write(written, at: offset))
        PowerCutDisk.copy(written[...], to: &node.seen, offset)
        if let fault { throw disk.error("write", name, "\(fault)", fault == .full ? .full : .other) }
    }

    package func sync() throws(FileError) {
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

    package func reserve(_ bytes: Int) throws(FileError) {
        if let fault = try disk.begin("fallocate", name, life: life) {
            throw disk.error("fallocate", name, "\(fault)", fault == .full ? .full : .other)
        }
    }

    package func truncate(to bytes: Int) throws(FileError) {
        let fault = try disk.begin("ftruncate", name, life: life)
        if fault == nil || fault == .cut { node.pending.append(.truncate(bytes)) }
        if let fault, fault != .full { throw disk.error("ftruncate", name, "\(fault)", .other) }
        PowerCutDisk.resize(&node.seen, bytes)
    }

    package func lock() throws(FileError) -> Bool {
        guard !node.isLocked else { return false }
        node.isLocked = true
        hasLock = true
        return true
    }

    package func identity() throws(FileError) -> FileIdentity { FileIdentity(device: 1, number: node.number) }
}
