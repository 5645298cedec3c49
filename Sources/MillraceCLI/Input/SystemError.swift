// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The error of a failed system call.
struct SystemError: Error, Equatable {
    let code: Int32

    /// The error of the last failed call on this thread.
    static var last: SystemError { SystemError(code: errno) }

    static let noMemory = SystemError(code: ENOMEM)

    /// The message of the error, for example `No such file or directory`.
    var words: String {
        var text = [CChar](repeating: 0, count: 256)
        // Unlike strerror, this is thread-safe.
        guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
        return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
}
