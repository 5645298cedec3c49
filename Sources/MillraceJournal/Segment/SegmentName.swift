// SPDX-License-Identifier: Apache-2.0

/// The name of a segment: `segment-<first sequence>-<epoch>.mrj`, both numbers with 20 digits.
///
/// With the epoch in the name, no writer ever takes the name of another writer's segment.
package struct SegmentName: Hashable, Sendable {
    package var firstSequence: UInt64
    package var epoch: UInt64

    package init(firstSequence: UInt64, epoch: UInt64) {
        self.firstSequence = firstSequence
        self.epoch = epoch
    }

    /// Reads a name; nil if it is not the name of a segment.
    package init?(_ text: String) {
        guard text.hasPrefix("segment-"), text.hasSuffix(".mrj") else { return nil }
        let numbers = text.dropFirst(8).dropLast(4).split(separator: "-", omittingEmptySubsequences: false)
        guard numbers.count == 2, let first = UInt64(numbers[0]), let epoch = UInt64(numbers[1]), first > 0 else {
            return nil
        }
        self.init(firstSequence: first, epoch: epoch)
        guard self.text == text else { return nil }
    }

    package var text: String { "segment-\(firstSequence.digits)-\(epoch.digits).mrj" }
}

extension SegmentName: Comparable {
    /// Whether a segment was begun before another: the epochs decide.
    package static func < (left: SegmentName, right: SegmentName) -> Bool {
        (left.epoch, left.firstSequence) < (right.epoch, right.firstSequence)
    }
}

extension UInt64 {
    /// The number with 20 digits, so that names sort as their numbers do.
    var digits: String {
        let text = String(self)
        return String(repeating: "0", count: 20 - text.utf8.count) + text
    }
}
