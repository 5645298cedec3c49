// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import Synchronization
import TestSupport
import Testing

@Suite("Resumption of a suspended task")
struct ResumptionTests {
    private final class Box: @unchecked Sendable {
        // Unchecked because one thread writes it, and resumes the task that reads it.
        var value = 0
    }

    private final class Flag: Sendable {
        let raised = Atomic<Bool>(false)
    }

    /// Under ThreadSanitizer this is a data race without the flag in `Resumption`.
    @Test("what was done before the resumption is seen after it, also if the task is not suspended yet")
    func resumedEarly() async {
        for number in 1...20 {
            let box: Box = await suspend { resumption in
                let isResumed = Flag()
                onNewThread {
                    let box = Box()
                    box.value = number
                    resumption.resume(returning: box)
                    // Relaxed: orders nothing, so that only the resumption does.
                    isResumed.raised.store(true, ordering: .relaxed)
                }
                while !isResumed.raised.load(ordering: .relaxed) {}
            }
            #expect(box.value == number)
        }
    }
}
