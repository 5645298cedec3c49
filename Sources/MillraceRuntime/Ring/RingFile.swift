// SPDX-License-Identifier: Apache-2.0

internal import CMillrace
internal import Glibc

/// An open file that may be the file of a ring. It is read and not mapped, because accessing a mapping of a file that
/// was made shorter stops the program.
final class RingFile {
    let path: String
    private let descriptor: Int32
    /// The size of the file when it was opened.
    let bytes: UInt64

    init(_ path: String) throws(EventRingError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .cannotRead(path: path, reason: "That is not a path")
        }
        self.path = path
        // O_NONBLOCK: if the path is a pipe, `open` must not wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .cannotRead(path: path, reason: systemErrorText(errno)) }
        var status = stat()
        let code = fstat(descriptor, &status) == 0 ? 0 : errno
        guard code == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw .cannotRead(path: path, reason: code == 0 ? "It is not a file" : systemErrorText(code))
        }
        self.descriptor = descriptor
        bytes = UInt64(clamping: status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// Returns the bytes from an offset: `count` bytes, or fewer if the file ends before.
    func read(_ count: Int, at offset: UInt64) throws(EventRingError) -> [UInt8] {
        // A header can ask for a gigabyte that the file does not have. The file of a ring never grows.
        let count = min(count, Int(clamping: bytes - min(bytes, offset)))
        // All threads share one empty array; setting its count would be a race that ThreadSanitizer reports.
        guard count > 0 else { return [] }
        var code: Int32 = 0
        let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let place = off_t(clamping: offset + UInt64(filled))
                let got = pread(descriptor, buffer.baseAddress! + filled, count - filled, place)
                if got < 0 && errno == EINTR { continue }
                if got < 0 { code = errno }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard code == 0 else { throw .cannotRead(path: path, reason: systemErrorText(code)) }
        return result
    }

    /// Returns a word that the writer may be changing, or nil if the file ends before it. Linux copies an aligned word
    /// atomically.
    func word(at offset: UInt64) throws(EventRingError) -> UInt64? {
        let bytes = try read(8, at: offset)
        guard bytes.count == 8 else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    /// Returns the state of the writer. The lock is checked first: a writer that has lost its lock no longer marks its
    /// end.
    func writer() throws(EventRingError) -> EventRingWriter {
        let isLocked = millrace_ring_is_locked(descriptor)
        if try word(at: UInt64(MILLRACE_RING_ENDED_AT)) == 1 { return .ended }
        return isLocked ? .running : .lost
    }

    /// Returns the header after checking that all its values are possible.
    func header() throws(EventRingError) -> millrace_ring_header {
        let size = MemoryLayout<millrace_ring_header>.size
        let start = try read(size, at: 0)
        let magic = [0x89] + Array("MRING\r\n".utf8)
        guard start.starts(with: magic.prefix(start.count)) else { throw .notARing(path: path) }
        func word(_ index: Int) -> UInt64? {
            start.count < (index + 1) * 8
                ? nil : start.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
        }
        if let order = word(1), order != MILLRACE_RING_ORDER {
            guard order == MILLRACE_RING_ORDER.byteSwapped else {
                throw .damagedHeader(path: path, reason: "it names no order of bytes")
            }
            throw .foreignByteOrder(path: path)
        }
        if let version = word(2), version != MILLRACE_RING_VERSION {
            throw .otherVersion(path: path, found: version, supported: MILLRACE_RING_VERSION)
        }
        guard start.count == size else {
            throw .tooShort(path: path, bytes: UInt64(start.count), needed: UInt64(size))
        }
        var header = start.withUnsafeBytes { $0.loadUnaligned(as: millrace_ring_header.self) }
        guard word(MILLRACE_RING_FINISHED_AT / 8) == 1 else {
            throw .damagedHeader(path: path, reason: "its writer did not finish it")
        }
        guard millrace_ring_checksum(&header) == header.checksum else {
            throw .damagedHeader(path: path, reason: "its checksum is wrong")
        }
        // A forged header can have the right checksum, so the sizes must also be consistent.
        var layout = millrace_ring_layout()
        guard millrace_ring_lay_out(header.words, header.capacity, header.text_bytes, &layout) == MILLRACE_OK,
            header.header_bytes == size, header.total_bytes == layout.total_bytes
        else { throw .damagedHeader(path: path, reason: "its sizes are impossible") }
        return header
    }
}
