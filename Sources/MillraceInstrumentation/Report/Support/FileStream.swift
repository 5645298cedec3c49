// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Text on its way to a file, 64 KiB at a time. The first failure is kept, and thrown by `finish` or `flush`.
///
/// Not for several threads.
final class FileStream: TextOutputStream {
    /// What the user calls the file.
    var path: String { place.path }
    private let place: FilePlace
    /// Where the text goes until it is whole; nil where it goes to the file itself.
    private let partial: String?
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    private var failure: CInt = 0

    private static var room: Int { 65_536 }

    /// A file that takes the place of what was there when it is finished, with the rights of what was there.
    init(replacing path: String) throws(ReportFileError) {
        place = try FilePlace(path)
        if place.isReplaceable {
            (descriptor, partial) = try place.makePartial(place.rights)
        } else {
            (descriptor, partial) = (try Self.openDirectly(path), nil)
        }
    }

    /// Creates or empties the file at the path. Locks it against other streams until this one is closed or released.
    init(creating path: String) throws(ReportFileError) {
        partial = nil
        place = try FilePlace(path)
        descriptor = place.isReplaceable ? try Self.openLocked(place) : try Self.openDirectly(path)
    }

    deinit {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        if let partial { unlink(partial) }
    }

    private static func openDirectly(_ path: String) throws(ReportFileError) -> CInt {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o666)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: reason(errno)) }
        return descriptor
    }

    /// Empties the file only once it is locked: until then it may be somebody else's.
    private static func openLocked(_ place: FilePlace) throws(ReportFileError) -> CInt {
        let descriptor = open(place.target, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cannotCreate(path: place.path, reason: reason(errno)) }
        do throws(ReportFileError) {
            try lock(descriptor, place)
            var (ours, there) = (stat(), stat())
            // Whoever had the lock may have put another file in its place.
            guard fstat(descriptor, &ours) == 0, stat(place.target, &there) == 0,
                (ours.st_dev, ours.st_ino) == (there.st_dev, there.st_ino)
            else { throw .inUse(path: place.path) }
            guard ftruncate(descriptor, 0) == 0 else {
                throw .cannotCreate(path: place.path, reason: reason(errno))
            }
        } catch {
            Glibc.close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Until the descriptor is closed. Where a file system has no locks, nothing is locked.
    private static func lock(_ descriptor: CInt, _ place: FilePlace) throws(ReportFileError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { throw .inUse(path: place.path) }
            guard errno == EINTR else { return }
        }
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

    /// After a failure: cuts the file at a byte, which makes room, and ends it with a text. It takes no more.
    func end(at length: Int, with text: String) {
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { return }
        (buffer, failure) = (Array(text.utf8), 0)
        drain()
    }

    /// Replaces the file by a new one, which holds `begin` and then a range of the bytes of the old one. Whoever opens
    /// the path gets the old file or the new one. Later text goes to the end of the new file.
    func rewrite(_ begin: String, keeping range: Range<Int>) throws(ReportFileError) {
        try flush()
        // The current rights: the user may have changed them since the file was created.
        let (new, name) = try place.makePartial(FilePlace.Rights(descriptor))
        let old = descriptor
        do throws(ReportFileError) {
            try Self.lock(new, place)
            descriptor = new
            buffer = Array(begin.utf8)
            var copied = range.lowerBound
            while copied < range.upperBound {
                let wanted = min(Self.room, range.upperBound - copied)
                let chunk = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, count in
                    count = max(0, pread(old, bytes.baseAddress!, wanted, off_t(copied)))
                }
                guard !chunk.isEmpty else { throw .cannotWrite(path: path, reason: Self.reason(EIO)) }
                buffer += chunk
                copied += chunk.count
                try flush()
            }
            try flush()
            guard rename(name, place.target) == 0 else {
                throw .cannotCreate(path: path, reason: Self.reason(errno))
            }
        } catch {
            descriptor = old
            (buffer, failure) = ([], 0)
            Glibc.close(new)
            unlink(name)
            throw error
        }
        // This also releases the lock of the old file, which has no name any more.
        Glibc.close(old)
    }

    /// Ends the file, and gives it its name. Nothing may be called after it.
    func finish() throws(ReportFileError) {
        do throws(ReportFileError) {
            try flush()
            let closed = Glibc.close(descriptor)
            descriptor = -1
            guard closed == 0 else { throw .cannotWrite(path: path, reason: Self.reason(errno)) }
            if let partial, rename(partial, place.target) != 0 {
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
