// SPDX-License-Identifier: Apache-2.0

/// A static string of a chosen length, of the letter x; a literal of that length would fill a file.
func staticText(length: Int) -> StaticString {
    // As the standard library lays a StaticString out: address, length, flags (2: ASCII). The memory stays for ever.
    struct Layout {
        var address: UInt
        var length: UInt
        var flags: UInt8
    }
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: length + 1)
    memory.initialize(repeating: UInt8(ascii: "x"), count: length + 1)
    return unsafeBitCast(
        Layout(address: UInt(bitPattern: memory), length: UInt(length), flags: 2),
        to: StaticString.self
    )
}
