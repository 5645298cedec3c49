// SPDX-License-Identifier: Apache-2.0

import MillraceTesting
import Synchronization

/// Returns the failures that the steps in `body` report, in place of failing the test.
func failures(_ body: () throws -> Void) rethrows -> [TestFailure] {
    let all = Mutex<[TestFailure]>([])
    try withoutActuallyEscaping({ failure in all.withLock { $0.append(failure) } }) { report in
        nonisolated(unsafe) let report = report  // it runs on this thread only
        try TestFailure.withReporter({ report($0) }, body)
    }
    return all.withLock { $0 }
}
