// SPDX-License-Identifier: Apache-2.0

import MillraceRuntime
import Synchronization
import TestSupport
import Testing

@Suite("EventRing", .timeLimit(.minutes(5)))
struct EventRingTests {
    @Test("keeps the newest entries, the oldest first, and counts those that are gone")
    func wrapsAround() throws {
        let ring = try EventRing(capacity: 8, wordsPerEntry: 2)
        #expect(ring.snapshot().entries.isEmpty)
        for count in 1...30 as ClosedRange<UInt64> {
            #expect(ring.append(count * 10, count) == count - 1)
            let snapshot = ring.snapshot()
            let first = count > 8 ? count - 8 : 0
            #expect(snapshot.entries.map(\.sequence) == Array(first..<count))
            let words: [[UInt64]] = (first..<count).map { [($0 + 1) * 10, $0 + 1] }
            #expect(snapshot.entries.map(\.words) == words)
            #expect(snapshot.overwritten == first)
            #expect(snapshot.torn == 0)
            #expect(ring.appended == count)
        }
    }

    @Test("an entry of every length; what is not given is 0, also after it was something else")
    func arities() throws {
        let ring = try EventRing(capacity: 2, wordsPerEntry: 9)
        let full: [UInt64] = [9, 9, 9, 9, 9, 9, 9, 9, 9]
        func last() -> [UInt64]? { ring.snapshot().entries.last?.words }
        func expect(_ count: Int, _ append: () -> UInt64) {
            for _ in 0..<2 { _ = full.withUnsafeBufferPointer { ring.append($0) } }
            #expect(last() == full)
            _ = append()
            let words: [UInt64] = (1...9).map { $0 <= count ? UInt64($0) : 0 }
            #expect(last() == words)
        }
        expect(1) { ring.append(1) }
        expect(2) { ring.append(1, 2) }
        expect(3) { ring.append(1, 2, 3) }
        expect(4) { ring.append(1, 2, 3, 4) }
        expect(5) { ring.append(1, 2, 3, 4, 5) }
        expect(6) { ring.append(1, 2, 3, 4, 5, 6) }
        expect(7) { ring.append(1, 2, 3, 4, 5, 6, 7) }
        expect(8) { ring.append(1, 2, 3, 4, 5, 6, 7, 8) }
        expect(0) { ring.append(UnsafeBufferPointer(start: nil, count: 0)) }
    }

    @Test("more words than an entry holds stop the program and say why")
    func tooManyWords() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let ring = try EventRing(capacity: 2, wordsPerEntry: 2)
            ring.append(1, 2, 3)
        }
        #if DEBUG  // in release a precondition has no words
            let message = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(message.contains("more words than an entry of this EventRing holds"))
        #else
            _ = result
        #endif
    }

    @Test("sizes: rounded up, or refused with what to do", arguments: [(1, 2), (2, 2), (3, 4), (1000, 1024)])
    func sizes(asked: Int, made: Int) throws {
        #expect(try EventRing(capacity: asked).capacity == made)
    }

    @Test(
        "impossible sizes are an error",
        arguments: [
            (0, 7, 0), (-1, 7, 0), (8, 0, 0), (8, 65, 0), (8, 7, -1), (1 << 27, 7, 0), (8, 7, 1 << 30),
            (.max, .max, .max),
        ]
    )
    func impossible(capacity: Int, words: Int, text: Int) {
        let error = #expect(throws: EventRingError.self) {
            try EventRing(capacity: capacity, wordsPerEntry: words, textBytes: text)
        }
        guard case .sizes = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let words = error?.description ?? ""
        #expect(words.contains("sk for "), "\(words)")
    }

    @Test("what is said of sizes is what the caller gave, and what is possible")
    func sizesInWords() {
        func words(_ capacity: Int, _ words: Int = 7, _ textBytes: Int = 65_536) -> String? {
            do throws(EventRingError) {
                _ = try EventRing(capacity: capacity, wordsPerEntry: words, textBytes: textBytes)
                return nil
            } catch {
                return error.description
            }
        }
        let start = "An event ring cannot be created with "
        #expect(words(0) == start + "a capacity of 0: ask for 1 or more.")
        #expect(
            words(10_000_000) == start + "a capacity of 10000000, which takes more than 1 GiB: ask for 8388608 or less."
        )
        #expect(words(8, 65) == start + "65 words an entry: ask for 1 to 64.")
        #expect(
            words(8, 7, 1 << 30) == start
                + "1073741824 bytes for texts: with the entries that is more than 1 GiB. Ask for less."
        )
    }

    @Test("readers on other threads never accept a torn entry", arguments: [2, 64, 1024])
    func readers(capacity: Int) throws {
        let ring = try EventRing(capacity: capacity, wordsPerEntry: 6)
        let reading = Atomic<Int>(3)
        let accepted = Atomic<Int>(0)
        let faults = Recorder<String>()
        onThreads(4) { thread in
            if thread == 0 {
                var sequence: UInt64 = 0
                while reading.load(ordering: .acquiring) > 0 {
                    ring.appendNext(sequence)
                    sequence += 1
                }
                return
            }
            // Each reader goes on until it has seen enough of a ring that is being overwritten.
            var seen = 0
            var rounds = 0
            while (seen < 20_000 || rounds < 200) && faults.count == 0 {
                let snapshot = ring.snapshot()
                if let fault = snapshot.fault { faults.record(fault) }
                seen += snapshot.entries.count
                rounds += snapshot.overwritten > 0 ? 1 : 0
            }
            accepted.add(seen, ordering: .relaxed)
            reading.subtract(1, ordering: .releasing)
        }
        #expect(faults.all == [])
        #expect(accepted.load(ordering: .relaxed) >= 60_000)
    }
}
