// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// Addresses of the texts that were made, which must stay; so that the leak checker finds them.
private let madeTexts = Recorder<UInt>()

/// A static string of a chosen length, of the letter x; a literal of that length would fill a file.
func staticText(length: Int) -> StaticString {
    // As the standard library lays a StaticString out: address, length, flags (2: ASCII).
    struct Layout {
        var address: UInt
        var length: UInt
        var flags: UInt8
    }
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: length + 1)
    memory.initialize(repeating: UInt8(ascii: "x"), count: length + 1)
    madeTexts.record(UInt(bitPattern: memory))
    return unsafeBitCast(
        Layout(address: UInt(bitPattern: memory), length: UInt(length), flags: 2),
        to: StaticString.self
    )
}
