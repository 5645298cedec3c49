// SPDX-License-Identifier: Apache-2.0

import CMillraceStress
import Glibc
import MillraceRuntime
import TestSupport
import Testing

@Suite("EventRing: a child of fork", .timeLimit(.minutes(5)), .disabled(if: isSanitized))
struct ForkedRingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a child has rings in memory: the parent's files stay as they are, and locked")
    func files() throws {
        let rings = Shared<[EventRing]>([])
        for name in ["a", "b", "c"] {
            let ring = try EventRing(path: folder.file(name), capacity: 4, wordsPerEntry: 1)
            ring.append(ring.intern("text"))
            rings.update { $0.append(ring) }
        }
        // One that is gone is not visited.
        rings.update { _ = $0.remove(at: 1) }
        let child = ForkedChild {
            for ring in rings.value {
                guard ring.snapshot().entries.isEmpty, ring.intern("text") == 1 else { abort() }
                for word in 2..<9 as Range<UInt64> { ring.append(word) }
                guard ring.snapshot().entries.map(\.words) == [[5], [6], [7], [8]] else { abort() }
                guard ring.snapshot().entries.map(\.sequence) == [3, 4, 5, 6] else { abort() }
                guard ring.snapshot().texts == ["text"] else { abort() }
            }
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

    @Test("a child has no descriptor of the file, so it does not keep the lock")
    func descriptor() throws {
        let ring = try EventRing(path: folder.file(), capacity: 4)
        var wanted = stat()
        #expect(stat(folder.file(), &wanted) == 0)
        let (device, number) = (wanted.st_dev, wanted.st_ino)
        let isOpen: @Sendable () -> Bool = {
            var found = stat()
            return (0..<4096 as Range<Int32>).contains {
                fstat($0, &found) == 0 && found.st_dev == device && found.st_ino == number
            }
        }
        #expect(isOpen())
        let child = ForkedChild { if isOpen() { abort() } }
        #expect(child.signal == 0, "\(child)")
        withExtendedLifetime(ring) {}
    }

    #if DEBUG
        @Test("without memory for its ring a child stops when it uses the ring, and not before")
        func withoutMemory() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let ring = try EventRing(path: folder.file(), capacity: 4, wordsPerEntry: 1)
                ring.append(1)
                millrace_fault_plan(1, 1)
                let idle = ForkedChild {}
                millrace_fault_plan(1, 1)
                let user = ForkedChild { ring.append(2) }
                millrace_fault_plan(0, 0)
                #expect(idle.signal == 0, "\(idle)")
                #expect(user.signal == SIGSEGV, "\(user)")
                #expect(try EventRingFile.read(folder.file()).entries.map(\.words) == [[1]])
            }
        }
    #endif
}
