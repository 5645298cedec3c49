// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import MillraceCore

/// The difference between two arrays: the ranges between the equal elements at both ends.
struct ElementDifference {
    let old: Range<Int>
    let new: Range<Int>
    let after: any ElementParts
}

/// An array that is compared by its memory. This costs much less per element than a mirror.
protocol ElementParts {
    /// Returns the part that differs; nil if nothing differs or if the other value is of another type. Subtracts one
    /// from `places` for each element that was compared on its own, because its bytes differ.
    func difference(to after: Any, places: inout Int) -> ElementDifference?
    func element(at offset: Int) -> Any
    /// Returns the number of successive elements that are the same as those of another array of this type.
    func countSame(from: Int, as other: any ElementParts, from otherFrom: Int, places: inout Int) -> Int
}

extension Array: ElementParts {}
extension ArraySlice: ElementParts {}
extension ContiguousArray: ElementParts {}
extension KeyedArray: ElementParts {}

extension ElementParts where Self: RandomAccessCollection {
    func element(at offset: Int) -> Any { self[index(startIndex, offsetBy: offset)] }

    func countSame(from: Int, as other: any ElementParts, from otherFrom: Int, places: inout Int) -> Int {
        guard let other = other as? Self else { return 0 }
        return countSame(from: from, as: other, from: otherFrom, step: 1, places: &places)
    }

    func difference(to after: Any, places: inout Int) -> ElementDifference? {
        guard let after = after as? Self else { return nil }
        let prefix = countSame(from: 0, as: after, from: 0, step: 1, places: &places)
        if prefix == count, prefix == after.count { return nil }
        // With equal counts, elements are compared at the same index, so no common end is needed.
        let suffix =
            count == after.count
            ? 0
            : Swift.min(
                countSame(from: count - 1, as: after, from: after.count - 1, step: -1, places: &places),
                Swift.min(count, after.count) - prefix
            )
        return ElementDifference(old: prefix..<count - suffix, new: prefix..<after.count - suffix, after: after)
    }

    /// Counts from `from` on, or backwards if the step is -1.
    private func countSame(from: Int, as other: Self, from otherFrom: Int, step: Int, places: inout Int) -> Int {
        let most = step > 0 ? Swift.min(count - from, other.count - otherFrom) : Swift.min(from, otherFrom) + 1
        var same = 0
        while same < most {
            let (offset, otherOffset) = (from + step * same, otherFrom + step * same)
            same += countOfSameMemory(offset, other, otherOffset, most: most - same, step: step)
            // Strings with the same text may have different bytes here, so this element is compared on its own.
            guard same < most, places > 0 else { break }
            let place = index(startIndex, offsetBy: from + step * same)
            let otherPlace = other.index(other.startIndex, offsetBy: otherFrom + step * same)
            guard areSame(self[place], other[otherPlace]) else { break }
            places -= 1
            same += 1
        }
        return Swift.max(0, same)
    }

    private func countOfSameMemory(_ offset: Int, _ other: Self, _ otherOffset: Int, most: Int, step: Int) -> Int {
        let stride = MemoryLayout<Element>.stride
        let same = withContiguousStorageIfAvailable { mine in
            other.withContiguousStorageIfAvailable { theirs -> Int in
                guard let mine = UnsafeRawPointer(mine.baseAddress), let theirs = UnsafeRawPointer(theirs.baseAddress)
                else { return 0 }
                if step > 0 {
                    return sameBytes(mine + offset * stride, theirs + otherOffset * stride, most * stride) / stride
                }
                let (end, otherEnd) = (mine + (offset + 1) * stride, theirs + (otherOffset + 1) * stride)
                return sameBytesBackwards(from: end, otherEnd, most * stride) / stride
            }
        }
        return (same ?? 0) ?? 0
    }
}

/// Returns the number of bytes at the start that are the same. Compares blocks, because memcmp compares several bytes
/// at a time.
private func sameBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int {
    if left == right { return count }
    var (same, block) = (0, 4_096)
    while block > 0 {
        while same + block <= count, memcmp(left + same, right + same, block) == 0 { same += block }
        block /= 16
    }
    return same
}

/// Returns the number of bytes before the two addresses that are the same.
private func sameBytesBackwards(from left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int {
    var (same, block) = (0, 4_096)
    while block > 0 {
        while same + block <= count, memcmp(left - same - block, right - same - block, block) == 0 { same += block }
        block /= 16
    }
    return same
}
