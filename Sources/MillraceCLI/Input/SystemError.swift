// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What a system call said when it failed.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The error of the call that this thread made last.
    static var last: SystemError { SystemError(code: errno) }

    /// For example `No such file or directory`.
    var words: String {
        var text = [CChar](repeating: 0, count: 256)
        // Unlike strerror, safe on several threads.
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
