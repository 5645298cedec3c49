// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import TestSupport
import Testing

@Suite("ActionSink")
struct ActionSinkTests {
    @Test("a sink that does not tell urgent actions from others receives them, with all that came with them")
    func urgentByDefault() {
        let sink = SinkSpy<Int>()
        let cause = ActionCause(parent: 5, root: 3)
        let answer = sink.acceptUrgently(DispatchedAction(7, dispatcher: .b), cause: cause, run: nil)
        #expect(answer == .accepted)
        #expect(sink.log.all.map(\.action) == [7])
        #expect(sink.log.all.map(\.source) == [.b])
        #expect(sink.log.all.map(\.cause) == [cause])
    }
}
