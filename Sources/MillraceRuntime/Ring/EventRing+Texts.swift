// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

extension EventRing {
    /// The id under which entries refer to a text, a literal say. The writer only.
    ///
    /// From the second time on found by the text's address, in a few nanoseconds. 0 means "unknown": the table was
    /// full, which the snapshot counts (``EventRingSnapshot/missedTexts``).
    public func intern(_ text: StaticString) -> UInt64 {
        guard text.hasPointerRepresentation else { return intern(text.description) }
        let bytes = UInt64(text.utf8CodeUnitCount)
        let known = millrace_ring_known(ring, text.utf8Start, bytes)
        guard known == .max else { return known }
        let id = intern(text.description)
        // A text that found no room finds none later: asked once, remembered.
        millrace_ring_remember(ring, text.utf8Start, bytes, id)
        return id
    }

    /// The id under which entries refer to a text. The writer only.
    ///
    /// Every text that is in the table is also kept in a dictionary, so a text that is new allocates, and one that is
    /// known costs its hash. 0 means "unknown", as with a static text.
    @_disfavoredOverload
    public func intern(_ text: String) -> UInt64 {
        if let id = ids[text] { return id }
        var text = text
        let id = text.withUTF8 { millrace_ring_intern(ring, $0.baseAddress, UInt64($0.count)) }
        if id != 0 { ids[text] = id }
        return id
    }
}
