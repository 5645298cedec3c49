// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Writes text to a file, 64 KiB at a time. The first failure is kept, and thrown by `finish` or `flush`.
///
/// Not for use from several threads.
final class FileStream: TextOutputStream {
    /// The path as the user gave it.
    var path: String { place.path }
    private let place: FilePlace
    /// The temporary file that receives the text until it is complete; nil if the text is written to the file itself.
    private let partial: PartialFile?
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    private var failure: CInt = 0

    private static var room: Int { 65_536 }

    /// Creates a stream whose file replaces the existing one when it is finished, with the existing file's permissions.
    init(replacing path: String) throws(ReportFileError) {
        place = try FilePlace(path)
        if place.isReplaceable {
            let partial = try place.makePartial(place.rights)
            (descriptor, self.partial) = (partial.descriptor, partial)
        } else {
            (descriptor, partial) = (try Self.openDirectly(path), nil)
        }
    }

    /// Creates the file at the path, or empties it. Locks it against other streams until this one is closed or
    /// released.
    init(creating path: String) throws(ReportFileError) {
        partial = nil
        place = try FilePlace(path)
        descriptor = place.isReplaceable ? try Self.openLocked(place) : try Self.openDirectly(path)
    }

    deinit {
        guard descriptor >= 0 else { return }
        Glibc.close(descriptor)
        partial?.remove()
    }

    private static func openDirectly(_ path: String) throws(ReportFileError) -> CInt {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_TRUNC, 0o666)
        guard descriptor >= 0 else { throw .cannotCreate(path: path, reason: reason(errno)) }
        return descriptor
    }

    /// Empties the file only after it is locked: before that, another trace may be writing to it.
    private static func openLocked(_ place: FilePlace) throws(ReportFileError) -> CInt {
        let descriptor = open(place.target, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cannotCreate(path: place.path, reason: reason(errno)) }
        do throws(ReportFileError) {
            try lock(descriptor, place)
            var (ours, there) = (stat(), stat())
            // The stream that held the lock may have replaced the file by another one.
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

    /// Locks the file until the descriptor is closed. On a file system without locks, nothing is locked.
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

    /// Passes everything written so far to the system.
    func flush() throws(ReportFileError) {
        drain()
        guard failure == 0 else { throw .cannotWrite(path: path, reason: Self.reason(failure)) }
    }

    /// Truncates the file to a length; writing continues there.
    func truncate(to length: Int) throws(ReportFileError) {
        try flush()
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else {
            throw .cannotWrite(path: path, reason: Self.reason(errno))
        }
    }

    /// After a failure: truncates the file, which frees space, and writes a last text. Nothing may be written
    /// afterwards.
    func end(at length: Int, with text: String) {
        guard ftruncate(descriptor, off_t(length)) == 0, lseek(descriptor, off_t(length), SEEK_SET) >= 0 else { return }
        (buffer, failure) = (Array(text.utf8), 0)
        drain()
    }

    /// Replaces the file by a new one, which contains `begin` and then a range of bytes of the old one. A process that
    /// opens the path gets the old file or the new one. Later text is appended to the new file.
    func rewrite(_ begin: String, keeping range: Range<Int>) throws(ReportFileError) {
        try flush()
        // Use the current permissions: the user may have changed them since the file was created.
        let partial = try place.makePartial(FilePlace.Rights(descriptor))
        let (old, new) = (descriptor, partial.descriptor)
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
            guard rename(partial.name, place.target) == 0 else {
                throw .cannotCreate(path: path, reason: Self.reason(errno))
            }
        } catch {
            descriptor = old
            (buffer, failure) = ([], 0)
            Glibc.close(new)
            partial.remove()
            throw error
        }
        // This also releases the lock of the old file, which no longer has a name.
        Glibc.close(old)
    }

    /// Completes the file, and renames it to its final name. The stream must not be used afterwards.
    func finish() throws(ReportFileError) {
        do throws(ReportFileError) {
            try flush()
            try checkName()
            let closed = Glibc.close(descriptor)
            descriptor = -1
            guard closed == 0 else { throw .cannotWrite(path: path, reason: Self.reason(errno)) }
            if let partial, rename(partial.name, place.target) != 0 {
                throw .cannotCreate(path: path, reason: Self.reason(errno))
            }
        } catch {
            if descriptor >= 0 { Glibc.close(descriptor) }
            descriptor = -1
            partial?.remove()
            throw error
        }
    }

    /// Throws an error if a file that was written in its place was removed meanwhile: the system reports none.
    private func checkName() throws(ReportFileError) {
        var (ours, there) = (stat(), stat())
        guard partial == nil, place.isReplaceable, fstat(descriptor, &ours) == 0, ours.st_nlink == 0 else { return }
        // Some file systems do not count names.
        if stat(place.target, &there) == 0, (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino) { return }
        throw .cannotWrite(path: path, reason: Self.reason(ENOENT))
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

    /// Creates a folder, unless it exists.
    static func makeFolder(_ path: String) throws(ReportFileError) {
        guard mkdir(path, 0o777) != 0, errno != EEXIST else { return }
        throw .cannotCreate(path: path, reason: reason(errno))
    }

    static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
