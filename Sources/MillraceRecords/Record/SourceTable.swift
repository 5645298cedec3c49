// SPDX-License-Identifier: Apache-2.0

internal import MillraceCore

/// The sources whose texts a writer has written to its file.
@usableFromInline
struct SourceTable: Sendable {
    /// The most sources of a file. Further ones are recorded as unknown.
    static let limit = 65_535

    private struct Known {
        var file: UInt = 0
        var function: UInt = 0
        var packed: UInt64 = 0
        var index: UInt32 = 0
    }

    /// Sources by the addresses of their texts, so that the texts need not be hashed.
    private var cache = [Known](repeating: Known(), count: 256)
    private var indices: [ActionSource: UInt32] = [:]
    /// How often a source found no room.
    private(set) var missed: UInt64 = 0

    /// Returns the index of a source, and whether its texts must be written first. 0 stands for no source.
    mutating func index(of source: ActionSource) -> (index: UInt32, isNew: Bool) {
        guard source.text == nil else { return lookUp(source) }
        let mixed = (UInt64(source.fileAddress) ^ source.packed &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        let place = Int(truncatingIfNeeded: mixed >> 56)
        let known = cache[place]
        if known.index != 0, known.packed == source.packed, known.file == source.fileAddress,
            known.function == source.functionAddress
        {
            return (known.index, false)
        }
        let found = lookUp(source)
        cache[place] = Known(
            file: source.fileAddress,
            function: source.functionAddress,
            packed: source.packed,
            index: found.index
        )
        return found
    }

    private mutating func lookUp(_ source: ActionSource) -> (index: UInt32, isNew: Bool) {
        if let index = indices[source] { return (index, false) }
        guard indices.count < Self.limit else {
            missed += 1
            return (0, false)
        }
        let index = UInt32(indices.count + 1)
        indices[source] = index
        return (index, true)
    }
}
