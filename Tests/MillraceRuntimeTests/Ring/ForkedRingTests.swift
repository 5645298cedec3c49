// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceRuntime
import TestSupport
import Testing

@Suite("EventRing: a child of fork", .timeLimit(.minutes(5)), .disabled(if: isSanitized))
struct ForkedRingTests {
    @Test("a child has a copy of a ring's file: the parent's file stays as it is, and locked")
    func ringFile() throws {
        let folder = try TemporaryFolder()
        let rings = Shared<[EventRing]>([])
        for name in ["a", "b", "c"] {
            let ring = try EventRing(path: folder.file(name), capacity: 4, wordsPerEntry: 1)
            ring.append(1)
            rings.update { $0.append(ring) }
        }
        // One that is gone is not visited.
        rings.update { _ = $0.remove(at: 1) }
        let child = ForkedChild {
            for ring in rings.value { for word in 2..<9 as Range<UInt64> { ring.append(word) } }
            guard rings.value.allSatisfy({ $0.snapshot().entries.last?.words == [8] }) else { abort() }
            let grandchild = ForkedChild { for ring in rings.value { ring.append(9) } }
            guard grandchild.signal == 0 else { abort() }
            // Ends them.
            rings.value = []
        }
        #expect(child.signal == 0, "\(child)")
        for (ring, name) in zip(rings.value, ["a", "c"]) {
            ring.append(2)
            let read = try EventRingFile.read(folder.file(name))
            #expect(read.writer == .running)
            #expect(read.entries.map(\.words) == [[1], [2]])
        }
    }
}
