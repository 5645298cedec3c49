// SPDX-License-Identifier: Apache-2.0

extension TypeMetadata {
    /// Lends the payload of an enum's value. The case of the value must have a payload.
    ///
    /// An indirect payload is in a box: an object, whose header has 16 bytes.
    ///
    /// If only one case has a payload, the payload is at the address of the value. If several cases have one, the tag's
    /// bits must be removed first, in a copy.
    func lendPayload(
        of value: UnsafeRawPointer,
        isOnly: Bool,
        boxOffset: Int?,
        _ body: (UnsafeRawPointer) throws(CanonicalHashError) -> Void
    ) throws(CanonicalHashError) {
        func lend(_ place: UnsafeRawPointer) throws(CanonicalHashError) {
            try body(boxOffset.map { place.load(as: UnsafeRawPointer.self) + $0 } ?? place)
        }
        if isOnly { return try lend(value) }
        let tag = getTag(value, address)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(stride, 1), alignment: max(alignment, 16))
        defer { memory.deallocate() }
        _ = copy(memory, value, address)
        project(memory, address)
        defer {
            inject(memory, tag, address)
            destroy(memory, address)
        }
        try lend(memory)
    }
}
