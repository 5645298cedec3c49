// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("StateReader")
struct StateReaderTests {
    private struct Refusal: Error, Equatable {
        let state: Int
    }

    @Test("an error of the closure is thrown on; without one its result is returned")
    func errors() {
        let live = Shared(7)
        let reader = StateReader { live.value }
        #expect(throws: Refusal(state: 7)) {
            try reader.withState { (state) throws(Refusal) -> Int in throw Refusal(state: copy state) }
        }
        live.value = 8
        #expect(reader.withState { $0 + 1 } == 9)
    }
}
