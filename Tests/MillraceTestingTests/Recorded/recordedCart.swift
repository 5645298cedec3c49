// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceRecords
import MillraceTesting
import Testing

@Test("the recorded session 'recordedCart' ends in the same state")
func recordedCart() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "recordedCart.mrs")
    let session = try SessionFile.read(file.path, actions: cartActions(), states: cartStates())
    try #require(session.isComplete, "the recording was cut off")
    let hash = try #require(session.finalHash)
    let store = TestStore(initialState: session.initialState, reducer: cartReducer)
    store.exhaustivity = .off
    for recorded in session.actions { store.send(recorded.action, at: recorded.head.time) }
    store.finish()
    #expect(try CanonicalHash(of: store.state) == hash)
}
