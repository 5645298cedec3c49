// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

/// The output that a pipeline lends: it writes its cause by offsets into the structure.
@Suite("UnretainedOutput")
struct UnretainedOutputTests {
    @Test func theLayoutIsTheOneThatIsWritten() {
        #expect(UnretainedOutput<Int>.hasExpectedLayout)
        #expect(UnretainedOutput<String>.hasExpectedLayout)
        #expect(UnretainedOutput<Void>.hasExpectedLayout)
    }

    @Test func everyFieldOfTheCauseIsLent() {
        let received = Received()
        let sink = AnyActionHandler<String> { received.actions.append($0.action) }.sink
        let output = UnretainedOutput(to: sink)
        defer { output.deallocate() }
        for number in [1, UInt64.max] {
            let cause = ActionCause(
                parent: number,
                root: number &- 7,
                parentShard: UInt16(truncatingIfNeeded: number),
                rootShard: 0xABCD
            )
            #expect(output.of(cause).pointee.read { $0.cause } == cause)
            _ = output.of(.none)
            let lent = output.ofWhole(cause).pointee.read { $0 }
            #expect(lent.cause == cause)
            #expect(lent.run == nil)
            #expect(lent.sink === sink)
            lent.dispatch("\(number)")
        }
        #expect(output.ofWhole(.none).pointee.read { $0.cause } == .none)
        #expect(received.actions == ["1", "\(UInt64.max)"])
    }

    @Test func theTargetIsNotRetained() {
        weak var target: ActionSink<Int>?
        let output: UnretainedOutput<Int>
        do {
            let sink = AnyActionHandler<Int> { _ in }.sink
            target = sink
            output = UnretainedOutput(to: sink)
            _ = output.ofWhole(ActionCause(parent: 1, root: 1))
            withExtendedLifetime(sink) {}
        }
        #expect(target == nil)
        output.deallocate()
    }

    private final class Received: @unchecked Sendable {
        // Unchecked because one thread uses it.
        var actions: [String] = []
    }
}
