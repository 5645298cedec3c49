// SPDX-License-Identifier: Apache-2.0

import CMillraceRecords
import MillraceRecords
import TestSupport
import Testing

@Suite struct ChecksumTests {
    @Test func theValuesOfTheStandardComeOut() {
        #expect(CRC32C.checksum(of: Array("123456789".utf8)) == 0xE306_9283)
        #expect(CRC32C.checksum(of: [UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
        #expect(CRC32C.checksum(of: [UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
        #expect(CRC32C.checksum(of: []) == 0)
    }

    @Test func instructionsAndTableAgreeAtEveryLength() {
        var random = SplitMix64(seed: 3)
        let bytes = (0..<8200).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.withUnsafeBytes { bytes in
            for length in 0...8192 {
                let start = length % 8
                let part = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
                let table = millrace_crc32c_table(UInt32(length), part.baseAddress, length)
                #expect(CRC32C.checksum(of: part, continuing: UInt32(length)) == table)
            }
        }
    }

    @Test func aChecksumGoesOnWhereAnotherEnded() {
        let bytes = Array("the quick brown fox".utf8)
        bytes.withUnsafeBytes { bytes in
            let first = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: bytes[..<7]))
            let rest = UnsafeRawBufferPointer(rebasing: bytes[7...])
            #expect(CRC32C.checksum(of: rest, continuing: first) == CRC32C.checksum(of: Array(bytes)))
        }
    }
}
