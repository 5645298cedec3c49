// SPDX-License-Identifier: Apache-2.0

@testable import MillraceRecords

/// Gives a file of records right checksums, as far as its lengths lead. A fuzzer does not guess a checksum, so without
/// this it would see only the errors of checksums.
///
/// What the result says may still be impossible. A length that does not fit is left as it is.
func withChecksums(_ file: [UInt8]) -> [UInt8] {
    var bytes = file
    guard bytes.count >= 72 else { return bytes }
    let length = Int(number(bytes, 12))
    guard length >= 72, length <= bytes.count else { return bytes }
    set(&bytes, length - 4, CRC32C.checksum(of: Array(bytes[..<(length - 4)])))
    let fileChecksum = number(bytes, length - 4)
    var (place, predecessor) = (length, fileChecksum)
    while place + 64 <= bytes.count, number(bytes, place) == 0x3146_524D {
        let payload = Int(number(bytes, place + 4))
        guard payload <= bytes.count - place - 64 else { break }
        set(&bytes, place + 40, CRC32C.checksum(of: Array(bytes[(place + 64)..<(place + 64 + payload)])))
        set(&bytes, place + 44, predecessor)
        predecessor = bytes[place..<(place + 60)].withUnsafeBytes { CRC32C.checksum(of: $0, continuing: fileChecksum) }
        set(&bytes, place + 60, predecessor)
        place += 64 + payload
    }
    return bytes
}

private func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    bytes[place..<(place + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

private func set(_ bytes: inout [UInt8], _ place: Int, _ number: UInt32) {
    for byte in 0..<4 { bytes[place + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt32(byte))) }
}
