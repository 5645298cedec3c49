// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Text on its way to a file, 64 KiB at a time. The first failure is kept, and thrown by `finish` or `flush`.
///
/// Not for several threads.
final class FileStream: TextOutputStream {
    /// What the user calls the file.
    let path: String
    /// Where the text goes until it is whole; nil where it goes to the path itself.
    private let partial: String?
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    private var failure: CInt = 0

    private static var room: Int { 65_536 }

    /// A file that takes the place of what was there when it is finished.
    init(replacing path: String) throws(ReportFileError) {
        self.path = path
        var status = stat()
        let isOther = lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        partial = isOther ? nil : "\(path).\(getpid())-\(String(UInt32.random(in: .min ... .max), radix: 36)).partial"
        descriptor = open(partial ?? path, O_WRONLY | O_CREAT | O_CLOEXEC | (isOther ? O_TRUNC : O_EXCL), 0o666)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: Self.reason(errno)) }
    }

    /// An empty file under its own name from the beginning.
    init(creating path: String) throws(ReportFileError) {
        self.path = path
        partial = nil
        descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o666)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: Self.reason(errno)) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        if let partial { unlink(partial) }
    }

    func write(_ text: String) {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= Self.room { drain() }
    }

    /// Gives the system what was written so far.
    func flush() throws(ReportFileError) {
        drain()
        guard failure == 0 else { throw .cannotWrite(path: path, reason: Self.reason(failure)) }
    }

    /// Cuts the file at a byte, and goes on writing there.
    func truncate(to length: Int) throws(ReportFileError) {
        try flush()
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else {
            throw .cannotWrite(path: path, reason: Self.reason(errno))
        }
    }

    /// Ends the file, and gives it its name. Nothing may be called after it.
    func finish() throws(ReportFileError) {
        do throws(ReportFileError) {
            try flush()
            let closed = Glibc.close(descriptor)
            descriptor = -1
            guard closed == 0 else { throw .cannotWrite(path: path, reason: Self.reason(errno)) }
            if let partial, rename(partial, path) != 0 {
                throw .cannotCreate(path: path, reason: Self.reason(errno))
            }
        } catch {
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
            if let partial { unlink(partial) }
            throw error
        }
    }

    private func drain() {
        buffer.withUnsafeBytes { bytes in
            var done = 0
            while failure == 0, done < bytes.count {
                let written = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if written >= 0 {
                    done += written
                } else if errno != EINTR {
                    failure = errno
                }
            }
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Makes a folder, unless it is there.
    static func makeFolder(_ path: String) throws(ReportFileError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw .cannotCreate(path: path, reason: reason(errno))
    }

    static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
