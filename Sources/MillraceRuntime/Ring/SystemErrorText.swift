// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Returns the system's text for an errno, for example `No such file or directory`.
func systemErrorText(_ code: Int32) -> String {
    var text = [CChar](repeating: 0, count: 256)
    // strerror_r is thread-safe, strerror is not.
    guard strerror_r(code, &text, text.count) == 0 else { return "error \(code)" }
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
}
