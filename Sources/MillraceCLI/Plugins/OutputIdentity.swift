// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file that a path refers to, whatever its name and links.
enum OutputIdentity: Hashable {
    case existing(device: dev_t, inode: ino_t)
    /// A file that does not exist yet: a name in a folder.
    case absent(device: dev_t, folder: ino_t, name: String)

    /// Creates the identity of a path. Nil for files that may be given more than once, such as `/dev/null`, and for
    /// files whose status cannot be read.
    init?(path: String) {
        var facts = stat()
        if stat(path, &facts) == 0 {
            self.init(facts)
        } else {
            guard errno == ENOENT, let (folder, name) = Self.place(of: path) else { return nil }
            self = .absent(device: folder.st_dev, folder: folder.st_ino, name: name)
        }
    }

    /// Creates the identity of an open file; nil if it is not a regular file.
    init?(file descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(facts)
    }

    private init?(_ facts: stat) {
        guard facts.st_mode & S_IFMT != S_IFCHR else { return nil }
        self = .existing(device: facts.st_dev, inode: facts.st_ino)
    }

    /// Returns the identity of the folder that contains a path.
    static func folder(of path: String) -> OutputIdentity? {
        place(of: path).flatMap { OutputIdentity($0.folder) }
    }

    private static func place(of path: String) -> (folder: stat, name: String)? {
        let end = path.lastIndex(of: "/")
        let name = String(end.map { path[path.index(after: $0)...] } ?? path[...])
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        var facts = stat()
        return stat(folder, &facts) == 0 ? (facts, name) : nil
    }
}
