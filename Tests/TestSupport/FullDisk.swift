// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sets the size that no file of this process may exceed. A write beyond it fails with "File too large", wherever the
/// file is. For tests in a process of their own, because the limit holds for all files of it.
public func limitFiles(to bytes: Int) {
    // Without this, the signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    limit.rlim_cur = rlim_t(bytes)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

/// A disk in memory that is soon full: a write that finds no room fails with "No space left on device".
///
/// Only the thread that mounts the disk sees it, and threads that this one starts: so a test needs no other process,
/// but must not suspend. It needs a right that root often has, but not in most containers.
public enum SmallDisk {
    private typealias Unshare = @convention(c) (Int32) -> Int32
    private typealias Mount =
        @convention(c) (
            UnsafePointer<CChar>?, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt, UnsafePointer<CChar>?
        ) -> Int32
    private typealias Unmount = @convention(c) (UnsafePointer<CChar>, Int32) -> Int32

    /// For `.enabled(if:)`. A process tries it, because a thread cannot leave its new view of the disks.
    public static let isPossible: Bool = {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", "unshare -m mount -t tmpfs -o size=64k none /tmp 2> /dev/null"]
        guard (try? shell.run()) != nil else { return false }
        shell.waitUntilExit()
        return shell.terminationStatus == 0
    }()

    /// Calls `body` with the path of an empty disk.
    ///
    /// - Parameters:
    ///   - bytes: The room; the system rounds it up to pages.
    ///   - files: How many files and folders there may be.
    public static func with<Result>(
        bytes: Int = 65_536,
        files: Int = 1_000,
        _ body: (String) throws -> Result
    ) throws -> Result {
        let path = NSTemporaryDirectory() + "/millrace-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { rmdir(path) }
        let (newView, recursive, isPrivate) = (0x2_0000 as Int32, 0x4000 as UInt, 0x4_0000 as UInt)
        // The folder itself is a file, too.
        guard let unshare = function("unshare", Unshare.self), let mount = function("mount", Mount.self),
            let unmount = function("umount2", Unmount.self), unshare(newView) == 0,
            mount("none", "/", nil, recursive | isPrivate, nil) == 0,
            mount("none", path, "tmpfs", 0, "size=\(bytes),nr_inodes=\(files + 1)") == 0
        else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
        defer { _ = unmount(path, 2) }
        return try body(path)
    }

    /// Fills what is left of a disk with a file, and returns its path: to remove it makes room.
    public static func fill(_ folder: String) -> String {
        let path = folder + "/filler"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let page = [UInt8](repeating: 1, count: 4_096)
        while write(descriptor, page, page.count) > 0 {}
        return path
    }

    // Not in the headers that Swift imports.
    private static func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
        dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: type) }
    }
}
