// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// The system's thread number, as `top -H` shows it.
package enum ThreadNumber {
    /// The number of the current thread. Reading it is a system call.
    package static var current: Int32 { millrace_thread_number() }
}
