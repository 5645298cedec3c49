// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

private final class Silent: PipelineProbe {}

@Suite("PipelineProbe and its values")
struct PipelineProbeTests {
    @Test("nothing has to be implemented")
    func defaults() {
        let probe: any PipelineProbe = Silent()
        let action = ProbedAction(number: 1, cause: .none, source: .a, nanosecondsQueued: 0)
        probe.batchBegan(ProbedBatch(depth: 1, limit: 2))
        probe.actionBegan(action)
        probe.stageBegan(.reducers)
        probe.stageEnded(.reducers)
        probe.actionEnded(action)
        #expect(probe.copyCheck == nil)
    }

    @Test("names compare and hash by text")
    func names() {
        let fox: StaticString = "fox🦊"
        #expect(MiddlewareName(fox) == "fox🦊")
        #expect(MiddlewareName(staticText(length: 3)) == "xxx")
        #expect(MiddlewareName(staticText(length: 3)).hashValue == ("xxx" as MiddlewareName).hashValue)
        #expect(MiddlewareName("a") != "b")
        #expect(MiddlewareName("a") != "aa")
        #expect(MiddlewareName(fox).description == "fox🦊")
    }

    @Test("names made at run time are those of their text, kept once")
    func interned() {
        let tenants = (1...3).map { MiddlewareName(interning: "tenant \($0)") }
        #expect(tenants.map(\.description) == ["tenant 1", "tenant 2", "tenant 3"])
        #expect(tenants[1] == "tenant 2")
        #expect(Set(tenants + ["tenant 3", MiddlewareName(interning: "tenant 1")]).count == 3)
        #expect(MiddlewareName(interning: "tenant \(1 + 1)").utf8.baseAddress == tenants[1].utf8.baseAddress)
        #expect(MiddlewareName(interning: "").description == "")
    }

    @Test("stages compare by name")
    func stages() {
        #expect(PipelineStage.middleware(name: "a") == .middleware(name: "a"))
        #expect(PipelineStage.middleware(name: "a") != .middleware(name: "b"))
        #expect(Set<PipelineStage>([.reducers, .effects, .publication, .reducers]).count == 3)
    }

    @Test("values keep what they are given")
    func values() {
        let cause = ActionCause(parent: 1, root: 2)
        let action = ProbedAction(number: 3, cause: cause, source: .b, nanosecondsQueued: 4)
        #expect(action.number == 3 && action.cause == cause)
        #expect(action.source == .b && action.nanosecondsQueued == 4)
        let batch = ProbedBatch(depth: 5, limit: 6)
        #expect(batch.depth == 5 && batch.limit == 6)
    }
}
