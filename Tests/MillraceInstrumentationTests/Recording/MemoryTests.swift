// SPDX-License-Identifier: Apache-2.0

import Millrace
import Testing

@testable import MillraceInstrumentation

@Suite("Memory of an instrumentation")
struct MemoryTests {
    @Test("it is what the article says", arguments: [0, 1])
    func documented(intervals: Int) async {
        let store = jobStore(.caller)
        let instrumentation = Instrumentation(store)
        for number in 0..<300 { store.dispatch(number % 3 == 0 ? .small : .large(number)) }
        for _ in 0..<intervals { _ = await instrumentation.nextInterval() }
        for number in 0..<300 { store.dispatch(number % 3 == 0 ? .small : .large(number)) }
        let snapshot = await instrumentation.snapshot()
        let recording = (snapshot.stages.count * 264 + snapshot.kinds.count * 108 + 403) * 1024
        let documented = (2 + intervals) * recording + 8 * 1024
        // Tables of what there is and sums by stage and kind are not worth a sentence.
        #expect(documented..<documented + 128 * 1024 ~= snapshot.memory)
    }

    @Test("the most counts all that is held: three recordings, the table of kinds, effects")
    func most() async {
        let instrumentation = Instrumentation(jobStore(.caller))
        let snapshot = await instrumentation.snapshot()
        let stageLimit = instrumentation.recorder.stageLimit
        #expect(
            snapshot.mostMemory
                == 3 * Recording.mostBytes(stageLimit: stageLimit) + 4096 * 2 + instrumentation.effects.bytes
        )
    }
}
