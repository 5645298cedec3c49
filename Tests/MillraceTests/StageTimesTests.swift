// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Testing

@testable import Millrace

@Suite("Times of stages")
final class StageTimesTests {
    // Behind a pointer, as a probe has it: `#expect` cannot take a value that is not copyable.
    private let times = UnsafeMutablePointer<StageTimes>.allocate(capacity: 1)

    init() {
        times.initialize(to: StageTimes())
        times.pointee.beginAction(1)
    }

    deinit {
        times.deinitialize(count: 1)
        times.deallocate()
    }

    private var stages: [TimedStage] {
        times.pointee.stages.map(\.pointee)
    }

    private func begin(_ stage: PipelineStage) -> Bool { times.pointee.beginNext(stage) }
    private func end() -> Bool { times.pointee.endPlain() }

    @Test("the end of a stage that had no room ends no other stage")
    func withoutRoom() {
        for _ in 0..<StageTimes.room { times.pointee.begin(.effects) }
        times.pointee.begin(.publication)
        #expect(!end())
        times.pointee.endAny()
        #expect(stages.allSatisfy { $0.ended == 0 })
        #expect(end())
        #expect(stages.count { $0.ended > 0 } == 1)
        let missed = (times.pointee.takeMissed(), times.pointee.takeMissed())
        #expect(stages.count == StageTimes.room && missed == (1, 0))
    }

    @Test("the time of stages that had no room belongs to the action")
    func missedTime() {
        for _ in 0..<StageTimes.room {
            times.pointee.begin(.effects)
            times.pointee.endAny()
        }
        let last = times.pointee.last
        times.pointee.begin(.reducers)
        times.pointee.endAny()
        let end = times.pointee.endAction()
        #expect(end > last)
    }

    @Test("a stage that belongs to no action begins without those of the last action")
    func between() {
        #expect(begin(.effects) && end())
        _ = times.pointee.endAction()
        #expect(!begin(.publication))
        times.pointee.begin(.publication)
        times.pointee.begin(.effects)
        times.pointee.endAny()
        times.pointee.endAny()
        #expect(stages.count == 2 && stages[1].outer != nil && stages.allSatisfy { $0.ended > 0 })
    }

    @Test("a stage that ends in the next action is not counted there")
    func olderThanTheAction() {
        times.pointee.begin(.journal)
        times.pointee.beginAction(1)
        #expect(!end())
        times.pointee.endAny()
        #expect(stages.isEmpty)
    }

    @Test("a stage that follows another one begins at its end; after unmeasured code it begins later")
    func oneClockReading() {
        #expect(begin(.effects) && end() && begin(.publication) && end())
        times.pointee.isFresh = false
        #expect(!begin(.journal))
        times.pointee.begin(.journal)
        #expect(stages[0].began == 1 && stages[1].began == stages[0].ended)
        #expect(stages[2].began > stages[1].ended)
    }

    @Test("the time before the reducers is not measured, unless a middleware without a name has run")
    func reducersFirst() {
        #expect(!begin(.reducers))
        times.pointee.begin(.reducers)
        let start = times.pointee.start
        #expect(stages[0].began > 1 && start == stages[0].began)
        times.pointee.beginAction(1)
        times.pointee.isFresh = false
        times.pointee.begin(.reducers)
        let startAfterMiddleware = times.pointee.start
        #expect(startAfterMiddleware == 1)
    }
}
