// SPDX-License-Identifier: Apache-2.0

import Foundation
import Millrace
import TestSupport
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
        let documented = (2 + intervals) * recording + 12 * 1024
        // Tables of what there is and sums by stage and kind are not worth a sentence.
        #expect(documented..<documented + 128 * 1024 ~= snapshot.memory)
    }

    @Test("just made it is what the article says")
    func justMade() async {
        let snapshot = await Instrumentation(jobStore(.caller)).snapshot()
        #expect(889 * 1024..<890 * 1024 ~= snapshot.memory)
    }

    @Test("the most counts all that is held: three recordings, tables, effects")
    func most() async {
        let instrumentation = Instrumentation(jobStore(.caller))
        let snapshot = await instrumentation.snapshot()
        let stageLimit = instrumentation.recorder.stageLimit
        #expect(
            snapshot.mostMemory
                == 3 * Recording.mostBytes(stageLimit: stageLimit) + 4096 * 2 + PipelineRecorder.bytes
                + instrumentation.effects.bytes
        )
    }

    /// Bytes of memory that the process has.
    private static var resident: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
    }

    @Test("it is what the system gives out, and the article says how much that is", .enabled(if: !isSanitized))
    func measured() async {
        // In a process of its own, where nobody else allocates.
        await #expect(processExitsWith: .success) {
            func use(_ store: ReduxStoreBase<Job, Int>) {
                for number in 0..<300 { store.dispatch(number % 3 == 0 ? .small : .large(number)) }
            }
            let count = 32
            let stores = (0...count).map { _ in jobStore(.caller) }
            // The first brings what all share.
            use(stores[count])
            let before = MemoryTests.resident
            let instrumentations = stores.prefix(count).map { Instrumentation($0) }
            let fresh = (MemoryTests.resident - before) / count
            #expect(abs(fresh - 864 * 1024) < 864 * 1024 / 5)
            var told = 0
            for (store, instrumentation) in zip(stores, instrumentations) {
                use(store)
                told = await instrumentation.snapshot().memory
                // Now the pipeline writes into what it was given for the first.
                use(store)
            }
            let used = (MemoryTests.resident - before) / count
            #expect(abs(used - told) < told / 5)
        }
    }
}
