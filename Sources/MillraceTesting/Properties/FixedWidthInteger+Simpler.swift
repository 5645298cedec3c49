// SPDX-License-Identifier: Apache-2.0

extension FixedWidthInteger {
    /// Numbers that are simpler than this one, for an ``ActionGenerator``: 0, half of this number, and the next number
    /// toward zero. Each number is there once, the nearest to zero first. Empty for 0.
    public var simpler: [Self] {
        guard self != 0 else { return [] }
        let nearer: Self = self > 0 ? self - 1 : self + 1
        var found: [Self] = []
        for number in [0, self / 2, nearer] where number != self && !found.contains(number) { found.append(number) }
        return found
    }
}
