// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MillraceCLI

@Suite struct ByteSearchTests {
    /// Every length, place and neighbour, with the byte also behind the end, where it must not be found.
    @Test(arguments: [UInt8(0x20), 0x22, 0x00, 0x80, 0xFF])
    func findsTheFirstByteAndNothingBehindTheEnd(_ wanted: UInt8) {
        for length in 0...40 {
            for place in 0...length {
                for neighbour in [wanted ^ 1, wanted ^ 0x80, wanted &+ 1] {
                    var bytes = [UInt8](repeating: neighbour, count: length + ByteSearch.padding)
                    for hit in [place, place + 1, place + 9] where hit < bytes.count { bytes[hit] = wanted }
                    bytes.withUnsafeBufferPointer { all in
                        let start = all.baseAddress!
                        let near = ByteSearch.near(wanted, start, start + length).map { $0 - start }
                        let far = ByteSearch.far(wanted, start, start + length).map { $0 - start }
                        #expect(near == (place < length ? place : nil))
                        #expect(far == near)
                    }
                }
            }
        }
    }

    @Test func findsTheLastByte() {
        let bytes = Array("a\nb\nc".utf8)
        bytes.withUnsafeBufferPointer { all in
            let start = all.baseAddress!
            #expect(ByteSearch.last(Byte.newline, start, start + 5).map { $0 - start } == 3)
            #expect(ByteSearch.last(Byte.newline, start, start + 3).map { $0 - start } == 1)
            #expect(ByteSearch.last(Byte.newline, start, start + 1) == nil)
        }
    }
}
