// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

extension EventRing {
    /// Returns the id under which entries refer to a static text, such as a literal. The writer only.
    ///
    /// From the second call on, the id is usually found by the address of the text, in a few nanoseconds. The id 0
    /// means "unknown": the table was full, which ``EventRingSnapshot/missedTexts`` counts.
    public func intern(_ text: StaticString) -> UInt64 {
        guard text.hasPointerRepresentation else { return intern(text.description) }
        let bytes = UInt64(text.utf8CodeUnitCount)
        let known = millrace_ring_known(ring, text.utf8Start, bytes)
        guard known == .max else { return known }
        let id = intern(text.description)
        // Also remembered if the id is 0: a text that found no room will not find room later.
        millrace_ring_remember(ring, text.utf8Start, bytes, id)
        return id
    }

    /// Returns the id under which entries refer to a text. The writer only.
    ///
    /// A dictionary holds every text of the table. So a new text costs an allocation, and a known text costs its hash.
    /// The id 0 means "unknown", as with a static text.
    @_disfavoredOverload
    public func intern(_ text: String) -> UInt64 {
        if let id = ids[text] { return id }
        var text = text
        let id = text.withUTF8 { millrace_ring_intern(ring, $0.baseAddress, UInt64($0.count)) }
        if id != 0 { ids[text] = id }
        return id
    }
}
