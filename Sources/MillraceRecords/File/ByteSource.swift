// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The bytes of a file, or of an array.
enum ByteSource {
    case array([UInt8])
    case file(FileDescriptor)
    case other(any RandomAccess)

    /// A file descriptor that is closed with the last reference to this object.
    final class FileDescriptor {
        let number: Int32

        init(_ number: Int32) {
            self.number = number
        }

        deinit {
            close(number)
        }
    }

    /// Opens a file for reading. Links are not followed.
    static func open(_ path: String) throws(RecordFileError) -> ByteSource {
        // O_NONBLOCK: opening a pipe does not wait for its writer.
        let number = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { throw systemError("open", path) }
        let descriptor = FileDescriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw systemError("fstat", path) }
        // A pipe has no offsets, and a folder no bytes.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARecordFile(path: path) }
        return .file(descriptor)
    }

    /// The number of bytes at present.
    func size(_ path: String) throws(RecordFileError) -> Int {
        switch self {
        case .array(let bytes): return bytes.count
        case .other(let file): return try file.size()
        case .file(let descriptor):
            var status = stat()
            guard fstat(descriptor.number, &status) == 0 else { throw systemError("fstat", path) }
            return Int(status.st_size)
        }
    }

    /// Copies bytes from an offset until `target` is full or the file ends. Returns the number of bytes.
    func read(_ path: String, at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(RecordFileError) -> Int
    {
        switch self {
        case .array(let bytes):
            let count = min(target.count, max(0, bytes.count - offset))
            if count > 0 {
                bytes.withUnsafeBytes {
                    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
                }
            }
            return count
        case .other(let file): return try file.read(at: offset, into: target)
        case .file(let descriptor):
            var done = 0
            while done < target.count {
                let count = pread(
                    descriptor.number,
                    target.baseAddress! + done,
                    target.count - done,
                    off_t(offset + done)
                )
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw systemError("read", path) }
                if count == 0 { break }
                done += count
            }
            return done
        }
    }
}

/// The error of the system call that has just failed.
func systemError(_ call: String, _ path: String) -> RecordFileError {
    let code = errno
    if code == EEXIST { return .exists(path: path) }
    var text = [CChar](repeating: 0, count: 256)
    // strerror_r is thread-safe, strerror is not.
    guard strerror_r(code, &text, text.count) == 0 else {
        return .system(call: call, path: path, reason: "error \(code)")
    }
    return .system(call: call, path: path, reason: text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) })
}
