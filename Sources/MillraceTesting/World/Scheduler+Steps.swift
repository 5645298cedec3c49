// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceCore

// In a build for simulation (`MILLRACE_SIMULATED`) the threads of a world stop inside the C core, too.
extension Scheduler {
    /// Has the calling thread pause between two steps of the core.
    func watchThread() {
        #if MILLRACE_SIMULATED
            let step: @convention(c) (UnsafeMutableRawPointer?) -> Void = { world in
                guard HeldLocks.count == 0, let world else { return }
                Unmanaged<Scheduler>.fromOpaque(world).takeUnretainedValue().pause("stops in the core")
            }
            CoreSteps.watch(step, Unmanaged.passUnretained(self).toOpaque())
        #endif
    }

    static func leaveThread() {
        #if MILLRACE_SIMULATED
            CoreSteps.watch(nil, nil)
        #endif
    }
}
