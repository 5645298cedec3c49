// SPDX-License-Identifier: Apache-2.0

import MillraceRecords

/// Reads the bytes of an action or a state, and never beyond their end. They come from a file: they may be anything.
struct StateBytes {
    private let memory: UnsafeRawBufferPointer
    private let type: String
    private var place = 0

    init(_ memory: UnsafeRawBufferPointer, of type: String) {
        self.memory = memory
        self.type = type
    }

    /// The error that these bytes are no value.
    func damaged(_ reason: String) -> CodecError { .notDecodable(type: type, reason: reason, offset: place) }

    mutating func next<Number: FixedWidthInteger & BitwiseCopyable>() throws(CodecError) -> Number {
        let size = MemoryLayout<Number>.size
        guard memory.count - place >= size else { throw damaged("too few bytes") }
        defer { place += size }
        return Number(littleEndian: memory.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    /// A count, or an index, with 64 bits. Without a limit it cannot be larger than the rest of the bytes, unless it is
    /// the limit of a table.
    mutating func count(atMost limit: Int = 1 << 40) throws(CodecError) -> Int {
        let number: UInt64 = try next()
        guard number <= UInt64(limit) else { throw damaged("a count of \(number)") }
        return Int(number)
    }

    mutating func bytes(_ count: Int) throws(CodecError) -> [UInt8] {
        guard memory.count - place >= count else { throw damaged("too few bytes") }
        defer { place += count }
        return Array(memory[place..<place + count])
    }

    /// Numbers with their count before them.
    mutating func array<Number: FixedWidthInteger & BitwiseCopyable>(
        of: Number.Type,
        count expected: Int? = nil
    ) throws(CodecError) -> ContiguousArray<Number> {
        let count = try count()
        guard count <= (memory.count - place) / MemoryLayout<Number>.size, expected ?? count == count else {
            throw damaged("a list of \(count)")
        }
        var numbers: ContiguousArray<Number> = []
        numbers.reserveCapacity(count)
        for _ in 0..<count { numbers.append(try next()) }
        return numbers
    }

    /// Checks that no bytes are left.
    func end() throws(CodecError) {
        guard place == memory.count else { throw damaged("\(memory.count - place) bytes too many") }
    }
}

extension RecordBuffer {
    /// Appends numbers with their count before them.
    mutating func append<Number: FixedWidthInteger & BitwiseCopyable>(contentsOf numbers: ContiguousArray<Number>) {
        append(UInt64(numbers.count))
        for number in numbers { append(number) }
    }
}
