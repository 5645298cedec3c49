// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Glibc
import TestSupport
import Testing

@testable import Millrace

@Suite("Threads of stores", .timeLimit(.minutes(5)))
struct StoreThreadTests {
    @Test("a thread of a store has its name, and takes no signals of the process")
    func threads() async {
        let found = Shared<(name: String, blocksSignals: Bool)?>(nil)
        let isStarted = StoreThread.start(name: "millrace-seldom") {
            let name = ReadingThread.name(of: millrace_thread_number())
            var blocked = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &blocked)
            found.value = (name, sigismember(&blocked, SIGTERM) == 1 && sigismember(&blocked, SIGSEGV) == 0)
        }
        #expect(isStarted)
        #expect(await eventually { found.value != nil })
        #expect(found.value?.name == "millrace-seldom" && found.value?.blocksSignals == true)
    }
}
