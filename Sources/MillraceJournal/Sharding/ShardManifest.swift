// SPDX-License-Identifier: Apache-2.0

/// What the folder of a sharded journal says of its shards: a text file with the name `manifest`, written before the
/// first shard.
package struct ShardManifest: Equatable {
    var shards: Int
    var hash = StableHasher.name

    private static let name = "manifest"
    private static let magic = "millrace-shards 1"

    /// A file that says that all shards were opened once: from then on each of them has a segment.
    private static let mark = "opened"

    private static let prefix = "shard-"
    /// As many as a store may have.
    private static let most = 65_536

    /// The name of the folder of a shard.
    static func folder(of shard: Int) -> String { "\(prefix)\(shard)" }

    /// Returns the paths of the shards of a sharded journal, in the order of their numbers; nil if a folder is not one.
    /// A folder that holds segments is a journal without shards, even if it has a file of this name.
    package static func folders(in path: String) throws(JournalError) -> [String]? {
        guard let folder = try? DiskFolder(path: path, create: false) else { return nil }
        let names = try system(try folder.names())
        guard names.contains(name), !names.contains(where: { SegmentName($0) != nil }) else { return nil }
        let around = path.hasSuffix("/") ? path : path + "/"
        return (0..<(try read(folder).shards)).map { around + Self.folder(of: $0) }
    }

    /// Returns the number of the shard whose journal has this name in a folder; nil if there is no such shard.
    package static func shard(_ name: String, in path: String) throws(JournalError) -> Int? {
        guard name.hasPrefix(prefix), let shard = Int(name.dropFirst(prefix.count)), folder(of: shard) == name,
            let shards = try folders(in: path), shards.indices.contains(shard)
        else { return nil }
        return shard
    }

    private var text: String { "\(Self.magic)\nshards \(shards)\nhash \(hash)\n" }

    /// For errors.
    var description: String { "\(shards) \(shards == 1 ? "shard" : "shards") by the hash '\(hash)'" }

    init(shards: Int) {
        self.shards = shards
    }

    /// Reads the text of a file; nil if it is not one.
    private init?(_ text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4, lines[0] == Self.magic, lines[3].isEmpty, lines[1].hasPrefix("shards "),
            lines[2].hasPrefix("hash "), let shards = Int(lines[1].dropFirst(7)),
            (1...Self.most).contains(shards)
        else { return nil }
        self.shards = shards
        hash = String(lines[2].dropFirst(5))
    }

    /// Compares the manifest of a folder with this one; writes it if the folder is new.
    func check<Folder: JournalFolder>(_ folder: Folder) throws(JournalError) {
        let names = try system(try folder.names())
        if names.contains(Self.name) {
            try compare(folder)
            if names.contains(Self.mark) { try checkShards(folder.path) }
            return
        }
        if let shard = names.first(where: { $0.hasPrefix(Self.prefix) }) {
            throw .corrupt(
                at: CorruptPlace(
                    path: "\(folder.path)/\(Self.name)",
                    offset: 0,
                    reason: "it is missing, although there is '\(shard)': restore it from a copy"
                )
            )
        }
        do {
            try write(folder, names)
        } catch {
            // Another program has been faster.
            guard error.meaning == .exists else { throw JournalError(error) }
            try compare(folder)
        }
    }

    /// Throws an error if a shard has lost its files: it would begin again with its initial state.
    private func checkShards(_ path: String) throws(JournalError) {
        for shard in 0..<shards {
            let shardPath = "\(path)/\(Self.folder(of: shard))"
            let names = (try? DiskFolder(path: shardPath, create: false).names()) ?? []
            guard names.contains(where: { SegmentName($0) != nil }) else {
                throw .corrupt(
                    at: CorruptPlace(
                        path: shardPath,
                        offset: 0,
                        reason: "it has no segment, although it had some before: restore it from a copy"
                    )
                )
            }
        }
    }

    /// Notes that all shards were opened.
    static func markOpened(_ path: String) throws(JournalError) {
        do {
            let folder = try DiskFolder(path: path, create: false)
            if try folder.identity(of: mark) != nil { return }
            try folder.create(mark).sync()
            try folder.syncNames()
        } catch {
            guard error.meaning == .exists else { throw JournalError(error) }
        }
    }

    private func write<Folder: JournalFolder>(_ folder: Folder, _ names: [String]) throws(FileError) {
        let temporary = "\(Self.name).tmp"
        if names.contains(temporary) { try folder.remove(temporary) }
        let file = try folder.create(temporary)
        let bytes = Array(text.utf8)
        do throws(FileError) {
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(FileError) in try file.write(bytes, at: 0) }
            }.get()
            try file.sync()
            try folder.rename(temporary, to: Self.name)
        } catch {
            // If there is a manifest by now, another program may have made the temporary file anew: it stays.
            if error.meaning != .exists { try? folder.remove(temporary) }
            throw error
        }
        try folder.syncNames()
    }

    private func compare<Folder: JournalFolder>(_ folder: Folder) throws(JournalError) {
        let found = try Self.read(folder)
        guard found == self else {
            throw .otherShards(path: folder.path, found: found.description, expected: description)
        }
    }

    private static func read<Folder: JournalFolder>(_ folder: Folder) throws(JournalError) -> ShardManifest {
        let file = try system(try folder.open(name, forWriting: false))
        var bytes = [UInt8](repeating: 0, count: min(try system(try file.size()), 4_096))
        let count = try bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(FileError) in try file.read(at: 0, into: bytes) }
        }.mapError { JournalError($0) }.get()
        guard let found = Self(String(decoding: bytes[..<count], as: UTF8.self)) else {
            throw .corrupt(
                at: CorruptPlace(
                    path: "\(folder.path)/\(name)",
                    offset: 0,
                    reason: "it is not the manifest of a sharded journal: restore it from a copy"
                )
            )
        }
        return found
    }
}
