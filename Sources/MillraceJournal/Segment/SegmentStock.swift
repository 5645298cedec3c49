// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// Keeps files full of zeros, which it writes and syncs ahead of time, because the sync of a file that does not grow is
/// twice as fast.
///
/// **Threads.** Any. A queue of its own writes the zeros.
final class SegmentStock<Folder: JournalFolder>: Sendable {
    /// A file that will be a segment.
    struct Spare: Sendable {
        let name: String
        let file: Folder.File
    }

    private struct Shelf {
        var spares: [Spare] = []
        var made = 0
        var isFilling = false
        var isEnded = false
    }

    private let folder: Folder
    /// The epoch of the writer, so that the files of two writers have different names: one that another has taken over
    /// from removes its own.
    private let epoch: UInt64
    private let options: JournalOptions
    private let shelf = Locked(Shelf())
    private let queue: BackgroundQueue?

    init(_ folder: Folder, epoch: UInt64, _ options: JournalOptions) {
        self.folder = folder
        self.epoch = epoch
        self.options = options
        queue =
            options.preparesAhead && options.stock > 0
            ? BackgroundQueue("millrace.journal.stock", folder.world) : nil
    }

    /// The number of files in stock.
    var count: Int { shelf.withLock { $0.spares.count } }

    /// Returns a file of zeros: from the stock if there is one, else a new one, which is empty if no zeros are needed.
    /// The zeros have been synced.
    func take() throws(FileError) -> Spare {
        let spare = shelf.withLock { shelf in shelf.spares.isEmpty ? nil : shelf.spares.removeFirst() }
        refill()
        if let spare { return spare }
        return try make(withZeros: options.needsZeros)
    }

    /// Begins to fill the stock on the queue.
    func refill() {
        guard let queue else { return }
        let begins = shelf.withLock { shelf in
            guard !shelf.isFilling, !shelf.isEnded else { return false }
            shelf.isFilling = true
            return true
        }
        if begins { queue.async { self.fill() } }
    }

    private func fill() {
        while shelf.withLock({ !$0.isEnded && $0.spares.count < options.stock }) {
            // If the disk is full, there is no stock. The caller that needs a segment then tries to write one, and gets
            // the error.
            guard let spare = try? make(withZeros: true) else { break }
            shelf.withLock { $0.spares.append(spare) }
        }
        shelf.withLock { $0.isFilling = false }
    }

    private func make(withZeros: Bool) throws(FileError) -> Spare {
        let number = shelf.withLock { shelf in
            shelf.made += 1
            return shelf.made
        }
        let name = "stock-\(epoch)-\(number).tmp"
        let file = try folder.create(name)
        do {
            if withZeros {
                try file.reserve(options.segmentBytes)
                try file.writeZeros(options.segmentBytes)
            }
        } catch {
            // The error of the write is the one to report.
            try? folder.remove(name)
            throw error
        }
        return Spare(name: name, file: file)
    }

    /// Waits for the queue, and removes the stock.
    func end() {
        shelf.withLock { $0.isEnded = true }
        queue?.settle()
        let spares = shelf.withLock { shelf in
            defer { shelf.spares = [] }
            return shelf.spares
        }
        for spare in spares { try? folder.remove(spare.name) }
    }

    /// Removes the files that an earlier writer has left.
    static func removeLeftovers(in folder: Folder) throws(FileError) {
        for name in try folder.names() where name.hasSuffix(".tmp") {
            guard name.hasPrefix("stock-") || name.hasPrefix("snapshot-") else { continue }
            try folder.remove(name)
        }
    }
}

extension JournalFile {
    /// Writes zeros and syncs them, a piece at a time, so that the syncs of others do not wait for all of it.
    func writeZeros(_ count: Int) throws(FileError) {
        let piece = min(count, 1 << 20)
        let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: max(piece, 1), alignment: 4096)
        defer { zeros.deallocate() }
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        var offset = 0
        while offset < count {
            let bytes = min(piece, count - offset)
            try write(UnsafeRawBufferPointer(rebasing: zeros[..<bytes]), at: offset)
            offset += bytes
            if offset < count, offset % (8 << 20) == 0 { try sync() }
        }
        try sync()
    }
}
