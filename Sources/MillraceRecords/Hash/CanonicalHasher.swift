// SPDX-License-Identifier: Apache-2.0

/// Collects what a ``CanonicalHash`` depends on, in order.
public struct CanonicalHasher: Sendable {
    private var state: UInt64 = 0x6D69_6C6C_7261_6365
    private var words: UInt64 = 0
    /// The number of values that contain the current one.
    var depth = 0
    static let deepest = 1000

    /// Creates an empty hasher.
    public init() {}

    /// Combines a value of any type, by the rules of ``CanonicalHash``.
    public mutating func combine<Value>(_ value: Value) throws(CanonicalHashError) {
        let plan = HashPlan.of(Value.self)
        try withUnsafePointer(to: value) { (pointer) throws(CanonicalHashError) in
            do throws(CanonicalHashError) {
                try plan.run(UnsafeRawPointer(pointer), into: &self)
            } catch {
                throw error.inside(_typeName(Value.self, qualified: false))
            }
        }
    }

    /// Combines a number.
    public mutating func combine(word: UInt64) {
        // Each step is a bijection of the state: different states stay different.
        state = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
        state ^= state >> 32
        state = state &* 0xC2B2_AE3D_27D4_EB4F
        state ^= state >> 29
        words &+= 1
    }

    /// Combines bytes and their number.
    public mutating func combine(bytes: UnsafeRawBufferPointer) {
        combine(word: UInt64(bytes.count))
        var offset = 0
        while bytes.count - offset >= 8 {
            combine(word: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        guard offset < bytes.count else { return }
        var rest: UInt64 = 0
        for index in (offset..<bytes.count).reversed() { rest = rest << 8 | UInt64(bytes[index]) }
        combine(word: rest)
    }

    /// Combines the UTF-8 bytes of a text and their number.
    public mutating func combine(text: String) {
        var text = text
        text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Combines elements so that their order does not matter, but how often each one occurs.
    public mutating func combineUnordered<Elements: Sequence>(
        _ elements: Elements,
        _ each: (Elements.Element, inout CanonicalHasher) throws(CanonicalHashError) -> Void
    ) throws(CanonicalHashError) {
        var sum: UInt64 = 0
        var count: UInt64 = 0
        for element in elements {
            var hasher = CanonicalHasher()
            hasher.depth = depth
            try each(element, &hasher)
            sum &+= hasher.finish()
            count += 1
        }
        combine(word: count)
        combine(word: sum)
    }

    /// Returns the hash of all that was combined.
    public func finish() -> UInt64 {
        var hash = (state ^ words) &* 0xFF51_AFD7_ED55_8CCD
        hash ^= hash >> 33
        hash = hash &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}

extension CanonicalHashError {
    /// Returns the error with a step before its path.
    func inside(_ step: String) -> CanonicalHashError {
        CanonicalHashError(path: path.isEmpty ? step : "\(step).\(path)", type: type, reason: reason)
    }
}
