// SPDX-License-Identifier: Apache-2.0

package import MillraceCore
import MillraceJournal

/// A disk in memory whose power can be cut: what was not synced is then lost, or kept in part, in any order.
///
/// In a world each call that changes something is a step of the calling thread, and a sync is several. One thread at a
/// time.
package final class PowerCutDisk: @unchecked Sendable {
    // Unchecked because each test has a disk of its own, on one thread; in a world, the one that runs.

    /// What a call does in place of its work.
    package enum Fault: Sendable {
        /// There is no room. A write has written a part.
        case full
        /// The call fails. What a failed sync should have written is lost, and the system holds it for written.
        case failure
        /// The power is cut during the call.
        case cut
    }

    /// The bytes of a file: as programs see them, and as they are on the disk.
    package final class Node {
        package var seen: [UInt8] = []
        package var stored: [UInt8] = []
        package var pending: [Change] = []
        package var isLocked = false
        package let number: UInt64

        init(_ number: UInt64) {
            self.number = number
        }
    }

    package enum Change {
        case write([UInt8], at: Int)
        case truncate(Int)
    }

    /// Names that a call has given and taken.
    package struct NameChange {
        package var removed: String?
        package var added: (String, Node)?
    }

    package let world: (any StoreWorld)?
    package var random: DiskRandom
    package var names: [String: Node] = [:]
    package var storedNames: [String: Node] = [:]
    package var nameChanges: [NameChange] = []
    /// Counts the starts of the machine: files that were opened before the last one are of no use.
    package private(set) var life = 0
    private var made: UInt64 = 0
    /// The calls that change something, since the disk was made.
    package private(set) var calls = 0
    package private(set) var isOff = false
    /// At which of those calls something goes wrong.
    package var fault: (call: Int, what: Fault, lasts: Bool)?

    package init(seed: UInt64, in world: (any StoreWorld)? = nil) {
        random = DiskRandom(seed: seed)
        self.world = world
    }

    package func makeNode() -> Node {
        made += 1
        return Node(made)
    }

    /// The folder for a program that starts now.
    package var folder: PowerCutFolder { PowerCutFolder(disk: self, life: life, syncs: FolderSyncs(in: world)) }

    /// Ends the program as `kill -9` does: what it has written stays.
    package func kill() {
        life += 1
        isOff = false
        fault = nil
        for node in names.values { node.isLocked = false }
    }

    /// Cuts the power: each call fails from now on.
    package func cut() { isOff = true }

    /// Forgets who has a lock, as some file systems of a network do.
    package func loseLocks() {
        for node in names.values { node.isLocked = false }
    }

    /// Cuts the power and starts the machine again.
    package func restart() {
        let keeps = [0.0, 0.5, 0.9, 1].randomElement(using: &random)!
        for change in nameChanges where Double.random(in: 0..<1, using: &random) < keeps { apply(change, &storedNames) }
        nameChanges = []
        names = storedNames
        // In an order that is the same in each process.
        for node in names.values.sorted(by: { $0.number < $1.number }) {
            for change in node.pending { keepSome(of: change, node, keeps) }
            node.pending = []
            node.seen = node.stored
        }
        kill()
    }

    func apply(_ change: NameChange, _ names: inout [String: Node]) {
        if let name = change.removed { names[name] = nil }
        if let (name, node) = change.added { names[name] = node }
    }

    /// A disk writes sectors in any order, and the one that it is at not to its end.
    private func keepSome(of change: Change, _ node: Node, _ keeps: Double) {
        switch change {
        case .truncate(let size):
            if Bool.random(using: &random) { Self.resize(&node.stored, size) }
        case .write(let bytes, let offset):
            var at = 0
            while at < bytes.count {
                let end = min(bytes.count, ((offset + at) / 512 + 1) * 512 - offset)
                if Double.random(in: 0..<1, using: &random) < keeps {
                    let isTorn = Int.random(in: 0..<8, using: &random) == 0
                    let kept = isTorn ? Int.random(in: at..<end, using: &random) : end
                    if kept > at { Self.copy(bytes[at..<kept], to: &node.stored, offset + at) }
                }
                at = end
            }
        }
    }

    static func resize(_ bytes: inout [UInt8], _ size: Int) {
        if size < bytes.count {
            bytes.removeLast(bytes.count - size)
        } else {
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
    }

    static func copy(_ source: ArraySlice<UInt8>, to target: inout [UInt8], _ offset: Int) {
        if target.count < offset + source.count { resize(&target, offset + source.count) }
        target.withUnsafeMutableBytes { target in
            source.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + $0.count]).copyMemory(from: $0)
            }
        }
    }

    /// Counts a call, and says what goes wrong with it.
    func begin(_ call: String, _ path: String, life: Int) throws(FileError) -> Fault? {
        wait(call, path)
        guard !isOff, life == self.life else { throw error(call, path, "there is no power", .other) }
        calls += 1
        guard let fault, calls == fault.call || fault.lasts && calls > fault.call else { return nil }
        if case .cut = fault.what { isOff = true }
        return fault.what
    }

    /// Lets others of the world run, and lets time pass during a sync.
    private func wait(_ call: String, _ path: String) {
        guard let world else { return }
        world.pause("asks the disk to \(call) '\(path)'")
        guard call == "fdatasync" || call == "fsync" else { return }
        for _ in 0..<Int.random(in: 0...3, using: &random) { world.pause("waits for the \(call) of '\(path)'") }
        let wait = UInt64.random(in: 0...7, using: &random)
        guard wait > 4, !world.isOver else { return }
        _ = world.block("waits for the \(call) of '\(path)'", atMost: wait * wait * 40_000) { false }
    }

    func error(_ call: String, _ path: String, _ reason: String, _ meaning: FileError.Meaning) -> FileError {
        FileError(call: call, path: path, reason: reason, meaning: meaning)
    }
}
