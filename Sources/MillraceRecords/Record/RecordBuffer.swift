// SPDX-License-Identifier: Apache-2.0

/// A growing buffer of bytes. It keeps its memory when bytes are removed, so filling it again allocates nothing.
///
/// ```swift
/// output.append(UInt32(7))            // little-endian
/// output.append(text: "seven")
/// ```
///
/// **Threads.** Only one thread at a time may use a buffer. **Cost.** Appending copies the bytes. If the memory is
/// full, it is doubled.
public struct RecordBuffer: ~Copyable, @unchecked Sendable {
    // Unchecked because of the pointer, which only this buffer has.
    @usableFromInline var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    public private(set) var count = 0

    /// Creates an empty buffer with room for `capacity` bytes, at least 64.
    public init(capacity: Int = 4096) {
        memory = .allocate(byteCount: max(capacity, 64), alignment: 16)
    }

    deinit {
        memory.deallocate()
    }

    /// Lends the bytes to `body`.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Removes the bytes from `count` on. The memory stays.
    public mutating func removeAll(from count: Int = 0) {
        self.count = min(max(count, 0), self.count)
    }

    /// Adds `more` bytes without setting them, and returns their address.
    @usableFromInline @inline(__always)
    mutating func extend(by more: Int) -> UnsafeMutableRawPointer {
        if memory.count - count < more { grow(by: more) }
        let start = memory.baseAddress! + count
        count += more
        return start
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(memory.count * 2, count + more),
            alignment: 16
        )
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        memory.deallocate()
        memory = larger
    }

    /// Appends bytes.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress, bytes.count > 0 else { return }
        extend(by: bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }

    /// Appends a number, little-endian.
    @inlinable
    public mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        extend(by: MemoryLayout<Number>.size).storeBytes(of: number.littleEndian, as: Number.self)
    }

    /// Appends the UTF-8 bytes of a text, without its length.
    public mutating func append(text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends zeros up to a multiple of 8.
    mutating func pad() {
        let missing = -count & 7
        if missing > 0 { extend(by: missing).initializeMemory(as: UInt8.self, repeating: 0, count: missing) }
    }

    /// Appends a value as it is in memory, and returns the address of the copy.
    @inlinable @inline(__always)
    mutating func append<Value: BitwiseCopyable>(bytesOf value: Value) -> UnsafeMutableRawPointer {
        let start = extend(by: MemoryLayout<Value>.size)
        Swift.withUnsafeBytes(of: value) { bytes in
            if bytes.count > 0 { start.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count) }
        }
        return start
    }

    /// Overwrites four bytes.
    mutating func set(_ number: UInt32, at offset: Int) {
        memory.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt32.self)
    }
}
