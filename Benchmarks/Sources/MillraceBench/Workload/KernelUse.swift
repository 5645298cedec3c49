// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the system did for this program: page faults, and time of the processors in the kernel.
struct KernelUse {
    var faults = 0
    var nanoseconds = 0.0

    static func now() -> KernelUse {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let time = usage.ru_stime
        return KernelUse(
            faults: usage.ru_minflt,
            nanoseconds: Double(time.tv_sec) * 1e9 + Double(time.tv_usec) * 1e3
        )
    }

    static func - (later: KernelUse, earlier: KernelUse) -> KernelUse {
        KernelUse(faults: later.faults - earlier.faults, nanoseconds: later.nanoseconds - earlier.nanoseconds)
    }
}
