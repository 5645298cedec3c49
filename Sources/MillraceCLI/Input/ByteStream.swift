// SPDX-License-Identifier: Apache-2.0

/// Bytes that are read one after the other. One thread at a time may call it.
protocol ByteStream: AnyObject {
    /// Waits for bytes and reads up to `count` of them. Returns 0 at the end, and when a stop is requested.
    func read(into place: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int
}

/// The bytes of a file from its beginning, or of a pipe, as they are.
final class PlainStream: ByteStream {
    private let file: FileDescriptor
    private let interruption: Interruption
    /// Bytes that were read to find the compression, and not yet returned.
    private var ahead: [UInt8] = []

    init(file: FileDescriptor, interruption: Interruption) {
        self.file = file
        self.interruption = interruption
    }

    func read(into place: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
        guard ahead.isEmpty else {
            let taken = min(count, ahead.count)
            ahead.withUnsafeBufferPointer { place.update(from: $0.baseAddress!, count: taken) }
            ahead.removeFirst(taken)
            return taken
        }
        return try readFile(into: place, count: count)
    }

    var isInterrupted: Bool { interruption.isRequested }

    private func readFile(into place: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
        do throws(SystemError) {
            return try file.read(into: place, count: count, unless: interruption)
        } catch {
            throw .system(error)
        }
    }

    /// Returns the compression, which it finds from the first bytes; nil: none. Call it before the first read. It waits
    /// for more bytes only while those that have come may begin compressed data.
    func compression() throws(InputError) -> Compression? {
        let room = UnsafeMutablePointer<UInt8>.allocate(capacity: Compression.magicLength)
        defer { room.deallocate() }
        repeat {
            let got = try readFile(into: room, count: Compression.magicLength - ahead.count)
            if got == 0 { break }
            ahead += UnsafeBufferPointer(start: room, count: got)
        } while ahead.count < Compression.magicLength && Compression.mayBegin(ahead)
        return try Compression.of(ahead)
    }
}
