// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime
import TestSupport
import Testing

@Suite("EventRing: texts")
struct EventRingTextTests {
    @Test("a text has one id, however it comes")
    func interns() throws {
        let ring = try EventRing(capacity: 2)
        let first = ring.intern("first")
        #expect(first == 1)
        #expect(ring.intern(String(["f", "i", "r", "s", "t"])) == first)
        #expect(ring.intern("") == 2)
        #expect(ring.intern("grüße, 世界") == 3)
        #expect(ring.intern("first") == first)
        #expect(ring.intern("" as String) == 2)
        let snapshot = ring.snapshot()
        #expect(snapshot.texts == ["first", "", "grüße, 世界"])
        #expect(snapshot.text(first) == "first")
        #expect(snapshot.text(0) == nil)
        #expect(snapshot.text(4) == nil)
        #expect(snapshot.text(.max) == nil)
        #expect(snapshot.missedTexts == 0)
    }

    @Test("more static texts than are remembered by address keep their ids")
    func manyTexts() throws {
        let ring = try EventRing(capacity: 2)
        let ids = (0..<1000).map { ring.intern("text \($0)" as String) }
        #expect(ids == Array(1...1000))
        #expect((0..<1000).map { ring.intern("text \($0)" as String) } == ids)
        // Five places and one text: one id.
        #expect([ring.intern("text 7"), ring.intern("text 7"), ring.intern("text 7")] == [8, 8, 8])
    }

    @Test("a full table gives the id 0 and counts, and still finds what it has")
    func fullTable() throws {
        // Room for records of 8 + 8 and 8 + 16 bytes, and 8 left: as many as "no room" has, but its record needs 16.
        let ring = try EventRing(capacity: 2, textBytes: 48)
        #expect(ring.intern("eight by" as String) == 1)
        #expect(ring.intern("nine byte" as String) == 2)
        #expect(ring.snapshot().missedTexts == 0)
        #expect(ring.intern("no room") == 0)
        #expect(ring.intern("no room") == 0)
        #expect(ring.intern(String(repeating: "x", count: 100_000)) == 0)
        #expect(ring.intern("eight by") == 1)
        let snapshot = ring.snapshot()
        #expect(snapshot.texts == ["eight by", "nine byte"])
        // Two places, or one if the compiler made one of them; and the long one.
        #expect(snapshot.missedTexts == 2 || snapshot.missedTexts == 3)
        let none = try EventRing(capacity: 2, textBytes: 0)
        #expect(none.intern("a") == 0)
        #expect(none.snapshot().texts == [])
    }

    @Test("a reader finds the text of every id that it finds in an entry")
    func textsBeforeEntries() throws {
        let ring = try EventRing(capacity: 64, wordsPerEntry: 1, textBytes: 1 << 20)
        let faults = Recorder<String>()
        onThreads(2) { thread in
            if thread == 0 {
                for number in 0..<2000 { ring.append(ring.intern("text \(number)" as String)) }
                return
            }
            while true {
                let snapshot = ring.snapshot()
                for entry in snapshot.entries where snapshot.text(entry[0]) != "text \(entry.sequence)" {
                    faults.record("\(entry.sequence): \(snapshot.text(entry[0]) ?? "none")")
                    return
                }
                if snapshot.entries.last?.sequence == 1999 { return }
            }
        }
        #expect(faults.all == [])
    }
}
