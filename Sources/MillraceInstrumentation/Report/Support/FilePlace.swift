// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file that a path leads to through its links, and the properties of that file.
struct FilePlace {
    /// The path as the user gave it.
    let path: String
    /// The path of the file itself, with all links followed.
    let target: String
    /// The permissions of the existing file; nil if there is none.
    let rights: Rights?
    /// Whether a new file may be renamed to the target: it is a regular file, or does not exist. A pipe, a device, or a
    /// name in `/proc` for an open file (which `/dev/stdout` leads to) is written directly instead.
    let isReplaceable: Bool

    /// The owner, group and mode of a file.
    struct Rights {
        let user: uid_t
        let group: gid_t
        let mode: mode_t

        init(_ status: stat) {
            (user, group, mode) = (status.st_uid, status.st_gid, status.st_mode & 0o777)
        }

        /// Reads the permissions of an open file.
        init?(_ descriptor: CInt) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            self.init(status)
        }

        /// Applies these permissions to an open file. Returns false on failure, with the reason in `errno`.
        func give(to descriptor: CInt) -> Bool {
            guard let now = Rights(descriptor) else { return false }
            var mode = mode
            // Only root may change the owner. If the group cannot be set either, the group gets only the permissions of
            // others.
            if (now.user, now.group) != (user, group), fchown(descriptor, user, group) != 0,
                fchown(descriptor, now.user, group) != 0
            {
                mode = mode & ~0o070 | (mode & 0o007) << 3
            }
            return fchmod(descriptor, mode) == 0
        }
    }

    /// The number of links that the system follows at most.
    private static let mostLinks = 40

    init(_ path: String) throws(ReportFileError) {
        guard !path.utf8.contains(0) else {
            throw .cannotCreate(path: path, reason: FileStream.reason(EINVAL))
        }
        self.path = path
        var target = path
        for _ in 0...Self.mostLinks {
            var status = stat()
            guard lstat(target, &status) == 0 else {
                // The target does not exist or cannot be read: creating the file reports the reason.
                (self.target, rights, isReplaceable) = (target, nil, true)
                return
            }
            guard status.st_mode & S_IFMT == S_IFLNK, status.st_dev != Self.processes,
                let next = Self.destination(of: target)
            else {
                self.target = target
                rights = Rights(status)
                isReplaceable = status.st_mode & S_IFMT == S_IFREG
                return
            }
            let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? ""
            target = next.hasPrefix("/") ? next : folder + next
        }
        throw .cannotCreate(path: path, reason: FileStream.reason(ELOOP))
    }

    /// The device number of `/proc`.
    private static var processes: dev_t? {
        var status = stat()
        return stat("/proc", &status) == 0 ? status.st_dev : nil
    }

    /// Returns nil if the link cannot be read, or its target is not valid text.
    private static func destination(of link: String) -> String? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { room in
            let count = room.withMemoryRebound(to: CChar.self) { readlink(link, $0.baseAddress!, $0.count) }
            return count > 0 && count < room.count ? String(validating: room[..<count], as: UTF8.self) : nil
        }
    }

    /// Creates an empty file beside the target. No other process opens it until it is renamed.
    ///
    /// - Parameter rights: The permissions of the new file; nil: the default of the process (umask).
    func makePartial(_ rights: Rights?) throws(ReportFileError) -> PartialFile {
        let name = "\(target).\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 36)).partial"
        let descriptor = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_EXCL, rights == nil ? 0o666 : 0o600)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: FileStream.reason(errno)) }
        let partial = PartialFile(descriptor, name)
        // Set the permissions before any byte is written.
        guard rights?.give(to: descriptor) != false else {
            let code = errno
            close(descriptor)
            partial.remove()
            throw .cannotCreate(path: path, reason: FileStream.reason(code))
        }
        return partial
    }
}
