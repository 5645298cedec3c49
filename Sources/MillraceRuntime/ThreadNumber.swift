// SPDX-License-Identifier: Apache-2.0

internal import CMillrace

/// The system's number of a thread, as `top -H` shows it.
package enum ThreadNumber {
    /// That of this thread. A system call.
    package static var current: Int32 { millrace_thread_number() }
}
