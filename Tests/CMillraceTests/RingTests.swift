// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Foundation
import Testing

/// The parts of the ring that `EventRing` never reaches, or that only another program sees.
@Suite("C ring")
struct RingTests {
    @Test("sizes that no ring can have are refused")
    func sizes() {
        var layout = millrace_ring_layout()
        #expect(millrace_ring_lay_out(7, 1024, 64, &layout) == MILLRACE_OK)
        for (words, capacity, texts) in [
            (0, 2, 8), (65, 2, 8), (1, 0, 8), (1, 1, 8), (1, 3, 8), (1, 1000, 8), (1, 2, 7),
        ] {
            let result = millrace_ring_lay_out(UInt64(words), UInt64(capacity), UInt64(texts), &layout)
            #expect(result == MILLRACE_INVALID_ARGUMENT, "\(words), \(capacity), \(texts)")
        }
    }

    @Test("a text is known by its address: no other one that has its length and its place in the table")
    func knownTexts() throws {
        let path = NSTemporaryDirectory() + "/millrace-ring-" + UUID().uuidString
        var (error, ring): (Int32, UnsafeMutablePointer<millrace_ring>?) = (0, nil)
        try #require(millrace_ring_create_file(path, 4, 16, 4_096, &error, &ring) == MILLRACE_OK)
        defer { unlink(path) }
        let owned = try #require(ring)
        defer { millrace_ring_destroy(owned) }
        // More addresses than the table has places.
        let texts = UnsafeMutableRawPointer.allocate(byteCount: 1_024, alignment: 16)
        defer { texts.deallocate() }
        millrace_ring_remember(owned, texts, 5, 7)
        #expect(millrace_ring_known(owned, texts, 5) == 7)
        #expect(millrace_ring_known(owned, texts, 6) == .max)
        #expect((1..<1_024).allSatisfy { millrace_ring_known(owned, texts + $0, 5) == .max })
    }

    @Test("a ring whose entries have no words is refused before its file is made")
    func fileOfNoSize() {
        let path = NSTemporaryDirectory() + "/millrace-ring-" + UUID().uuidString
        var (error, ring): (Int32, UnsafeMutablePointer<millrace_ring>?) = (7, nil)
        #expect(millrace_ring_create_file(path, 0, 16, 4_096, &error, &ring) == MILLRACE_INVALID_ARGUMENT)
        #expect(error == 0 && ring == nil && access(path, F_OK) != 0)
    }

    @Test("a path without a folder is one in the current folder; the ring that was there keeps its name with an ending")
    func relativePath() async {
        await #expect(processExitsWith: .success) {
            let folder = NSTemporaryDirectory() + "/millrace-ring-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try #require(chdir(folder) == 0)
            for names in [["ring"], ["ring", "ring.previous"]] {
                var (error, ring): (Int32, UnsafeMutablePointer<millrace_ring>?) = (0, nil)
                #expect(millrace_ring_create_file("ring", 4, 16, 4_096, &error, &ring) == MILLRACE_OK)
                millrace_ring_destroy(try #require(ring))
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names)
            }
        }
    }

    @Test("each byte of the header before the checksum counts in it")
    func checksum() {
        var header = millrace_ring_header()
        let before = millrace_ring_checksum(&header)
        for offset in 0..<Int(MILLRACE_RING_CHECKSUM_AT) {
            withUnsafeMutableBytes(of: &header) { $0[offset] ^= 1 }
            #expect(millrace_ring_checksum(&header) != before, "byte \(offset)")
            withUnsafeMutableBytes(of: &header) { $0[offset] ^= 1 }
        }
        #expect(millrace_ring_checksum(&header) == before)
    }

    @Test("a file has all its blocks when it is made")
    func blocks() throws {
        let path = NSTemporaryDirectory() + "/millrace-ring-" + UUID().uuidString
        var (error, ring): (Int32, UnsafeMutablePointer<millrace_ring>?) = (0, nil)
        try #require(millrace_ring_create_file(path, 7, 65_536, 8_192, &error, &ring) == MILLRACE_OK, "errno \(error)")
        defer { unlink(path) }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_size == off_t(try #require(ring).pointee.total_bytes))
        #expect(off_t(status.st_blocks) * 512 >= status.st_size)
        millrace_ring_destroy(try #require(ring))
    }
}
