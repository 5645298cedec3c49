// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@Suite("ActionCause")
struct ActionCauseTests {
    @Test("is 24 bytes in an array")
    func size() {
        #expect(MemoryLayout<ActionCause>.stride == 24)
    }

    @Test("none is zero and zero")
    func none() {
        #expect(ActionCause.none == ActionCause(parent: 0, root: 0))
        #expect(ActionCause.none.parent == 0 && ActionCause.none.root == 0)
    }

    @Test("equal when both numbers are")
    func equality() {
        #expect(ActionCause(parent: 1, root: 2) == ActionCause(parent: 1, root: 2))
        #expect(ActionCause(parent: 1, root: 2) != ActionCause(parent: 1, root: 3))
        #expect(ActionCause(parent: 1, root: 2) != ActionCause(parent: 2, root: 2))
    }
}
