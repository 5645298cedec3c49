// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The time in which a thread was ready to run, and the kernel ran another one.
enum RunDelay {
    /// That of the calling thread since its start, in nanoseconds; nil if the system does not tell.
    static var ofThisThread: UInt64? {
        var bytes = [UInt8](repeating: 0, count: 128)
        let file = open("/proc/thread-self/schedstat", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard read(file, &bytes, bytes.count - 1) > 0 else { return nil }
        // "<time on a processor> <time ready to run> <turns>"
        let fields = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? UInt64(fields[1]) : nil
    }
}
