// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open file. It is closed when its last reference is released; standard input stays open.
final class FileDescriptor: Sendable {
    let raw: Int32
    /// The size of a regular file. It is 0 for everything else, and for files without a known size, like those in
    /// /proc.
    let size: Int

    init(path: String) throws(SystemError) {
        // Non-blocking, because opening a pipe without a writer would wait and not notice a signal. Reading polls
        // anyway.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last }
        do {
            size = try Self.size(descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        raw = descriptor
    }

    init(standardInput descriptor: Int32 = 0) throws(SystemError) {
        raw = descriptor
        _ = try Self.size(descriptor)
        size = 0  // It may not be at its beginning, so it is read as a stream.
    }

    deinit {
        if raw != 0 { close(raw) }
    }

    private static func size(_ descriptor: Int32) throws(SystemError) -> Int {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .last }
        let kind = facts.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw SystemError(code: EISDIR) }
        // If standard input was closed at the start, the runtime library may have opened a descriptor of no known kind
        // under its number. Reading that would wait for ever.
        guard kind != 0 else { throw SystemError(code: EBADF) }
        return kind == S_IFREG ? Int(facts.st_size) : 0
    }

    /// Reads up to `count` bytes at `offset`. Returns fewer only at the end of the file.
    func read(into place: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) throws(SystemError) -> Int {
        var done = 0
        while done < count {
            let got = pread(raw, place + done, count - done, off_t(offset + done))
            if got == 0 { break }
            if got > 0 { done += got } else if errno != EINTR { throw .last }
        }
        return done
    }

    /// Waits for bytes and reads up to `count` of them. Returns 0 at the end of the file, and when `interruption` comes
    /// first.
    func read(
        into place: UnsafeMutablePointer<UInt8>,
        count: Int,
        unless interruption: Interruption
    ) throws(SystemError) -> Int {
        while !interruption.isRequested {
            var waiting = [
                pollfd(fd: raw, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interruption.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 else {
                if errno == EINTR { continue }
                throw .last
            }
            if waiting[1].revents != 0 { break }
            let got = Self.read(raw, place, count)
            if got >= 0 { return got }
            if errno != EINTR && errno != EAGAIN { throw .last }
        }
        return 0
    }

    private static func read(_ descriptor: Int32, _ place: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        #if canImport(Glibc)
            Glibc.read(descriptor, place, count)
        #elseif canImport(Musl)
            Musl.read(descriptor, place, count)
        #else
            Darwin.read(descriptor, place, count)
        #endif
    }
}
