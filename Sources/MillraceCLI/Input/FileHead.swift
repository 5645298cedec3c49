// SPDX-License-Identifier: Apache-2.0

/// The first bytes of a regular file, followed by readable bytes.
struct FileHead: ~Copyable {
    private let memory: UnsafeMutablePointer<UInt8>
    private let length: Int

    var bytes: UnsafeBufferPointer<UInt8> { .init(start: memory, count: length) }

    /// Reads at most `count` bytes.
    init(_ file: FileDescriptor, count: Int) throws(InputError) {
        memory = .allocate(capacity: count + ByteSearch.padding)
        memory.initialize(repeating: 0, count: count + ByteSearch.padding)
        do throws(SystemError) {
            length = try file.read(into: memory, count: count, at: 0)
        } catch {
            memory.deallocate()
            throw .system(error)
        }
    }

    deinit {
        memory.deallocate()
    }
}
