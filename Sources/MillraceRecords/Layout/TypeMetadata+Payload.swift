// SPDX-License-Identifier: Apache-2.0

extension TypeMetadata {
    /// Lends the payload of an enum's value, whose case has one.
    ///
    /// An indirect payload is in a box: an object, whose header has 16 bytes.
    ///
    /// The only payload of an enum is where the value is. Of several, the bits of the tag must be removed: from a copy.
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
