// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// Calls of the system that a test lets fail, in Swift code.
package enum Fault {
    /// Whether the call that follows has to fail. Counts as an allocation of the C core. Constant outside of debug builds.
    package static var isHere: Bool {
        #if DEBUG
            millrace_fault_here()
        #else
            false
        #endif
    }
}
