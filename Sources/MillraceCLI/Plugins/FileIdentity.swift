// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Which file a path means, by whatever name and through whatever links.
enum FileIdentity: Hashable {
    case existing(device: dev_t, inode: ino_t)
    /// Not there yet: a name in a folder.
    case absent(device: dev_t, folder: ino_t, name: String)

    /// Nil for what may be given more than once, as `/dev/null`, and for what cannot be looked at.
    init?(path: String) {
        var facts = stat()
        if stat(path, &facts) == 0 {
            self.init(facts)
        } else {
            guard errno == ENOENT, let (folder, name) = Self.place(of: path) else { return nil }
            self = .absent(device: folder.st_dev, folder: folder.st_ino, name: name)
        }
    }

    /// That of an open file: nil for all that is none on a disk.
    init?(file descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(facts)
    }

    private init?(_ facts: stat) {
        guard facts.st_mode & S_IFMT != S_IFCHR else { return nil }
        self = .existing(device: facts.st_dev, inode: facts.st_ino)
    }

    /// The folder that a path lies in.
    static func folder(of path: String) -> FileIdentity? {
        place(of: path).flatMap { FileIdentity($0.folder) }
    }

    private static func place(of path: String) -> (folder: stat, name: String)? {
        let end = path.lastIndex(of: "/")
        let name = String(end.map { path[path.index(after: $0)...] } ?? path[...])
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var facts = stat()
        return stat(folder, &facts) == 0 ? (facts, name) : nil
    }
}
