// SPDX-License-Identifier: Apache-2.0

import CMillrace
import Foundation
import MillraceRuntime
import Synchronization
import TestSupport
import Testing

@Suite("EventRing: files", .timeLimit(.minutes(5)))
struct EventRingFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a file says what the ring says, before and after its writer is gone")
    func roundTrip() throws {
        let path = folder.file()
        var ring = Optional(try EventRing(path: path, capacity: 8, wordsPerEntry: 3))
        for number in 0..<11 as Range<UInt64> { ring?.append(number, ring?.intern("kind \(number % 3)") ?? 0) }
        let live = try #require(ring?.snapshot())
        #expect(try EventRingFile.read(path) == live)
        #expect(live.entries.map(\.sequence) == Array(3...10))
        ring = nil
        let left = try EventRingFile.read(path)
        #expect(left.entries == live.entries && left.origin == live.origin)
        #expect(live.writer == .running && left.writer == .ended)
        #expect(left.texts == ["kind 0", "kind 1", "kind 2"])
        #expect(folder.files == ["flight.ring"])
    }

    @Test("only the owner can read a file")
    func rights() throws {
        _ = try EventRing(path: folder.file(), capacity: 2)
        let found = try FileManager.default.attributesOfItem(atPath: folder.file())[.posixPermissions] as? Int
        #expect(found == 0o600)
    }

    @Test("the header names process, boot and time")
    func origin() throws {
        let before = UInt64(Date().timeIntervalSince1970 * 1e9)
        let ring = try EventRing(path: folder.file(), capacity: 2)
        let origin = try EventRingFile.read(folder.file()).origin
        let stamp = Ticks.now
        let after = UInt64(Date().timeIntervalSince1970 * 1e9)
        #expect(origin.processID == Int64(getpid()))
        #expect(origin.isThisBoot)
        #expect(origin.bootID.count == 36)
        let millisecond: UInt64 = 1_000_000
        #expect((before - millisecond...after + millisecond).contains(origin.createdAt))
        let time = origin.nanosecondsSince1970(at: stamp)
        #expect(time >= origin.createdAt && time <= after + 5 * millisecond)
        // A stamp from before the ring, as an action may carry that was dispatched earlier.
        let earlier = Ticks(rawValue: origin.createdAtTicks.rawValue - Ticks.count(in: .seconds(1)))
        let distance = origin.createdAt - origin.nanosecondsSince1970(at: earlier)
        #expect((999 * millisecond...1001 * millisecond).contains(distance))
        withExtendedLifetime(ring) {}
    }

    @Test(
        "a ring of another boot, or of no known one, is not of this one",
        arguments: ["01234567-89ab-cdef-0123-456789abcdef", ""]
    )
    func foreignBoot(id: String) throws {
        let ring = try EventRing(path: folder.file(), capacity: 2)
        let own = try EventRingFile.read(folder.file()).origin
        var bytes = try Bytes.read(folder.file())
        let place = try #require(MemoryLayout<millrace_ring_header>.offset(of: \.boot_id))
        let text = Array(id.utf8)
        bytes.replaceSubrange(place..<place + 40, with: text + repeatElement(0, count: 40 - text.count))
        try Bytes.write(Bytes.summed(bytes), folder.file("foreign"))
        let origin = try EventRingFile.read(folder.file("foreign")).origin
        #expect(!origin.isThisBoot)
        #expect(origin.bootID == id && own.bootID != id)
        #expect(origin.processID == own.processID && origin.createdAt == own.createdAt)
        withExtendedLifetime(ring) {}
    }

    @Test("a reader of the file never accepts a torn entry while the writer runs", arguments: [2, 1024, 65_536])
    func liveReader(capacity: Int) throws {
        let path = folder.file()
        let ring = try EventRing(path: path, capacity: capacity, wordsPerEntry: 6)
        let reading = Atomic<Bool>(true)
        let faults = Recorder<String>()
        let accepted = Atomic<Int>(0)
        onThreads(2) { thread in
            if thread == 0 {
                var sequence: UInt64 = 0
                while reading.load(ordering: .acquiring) {
                    ring.appendNext(sequence)
                    sequence += 1
                }
                return
            }
            var seen = 0
            var rounds = 0
            while (seen < 20_000 || rounds < 50) && rounds < 100_000 && faults.count == 0 {
                do {
                    let snapshot = try EventRingFile.read(path)
                    if let fault = snapshot.fault { faults.record(fault) }
                    seen += snapshot.entries.count
                    rounds += snapshot.overwritten > 0 ? 1 : 0
                } catch {
                    faults.record("\(error)")
                }
            }
            accepted.store(seen, ordering: .relaxed)
            reading.store(false, ordering: .releasing)
        }
        #expect(faults.all == [])
        // A ring of two is overwritten while it is being copied, again and again; larger ones are not.
        #expect(capacity == 2 || accepted.load(ordering: .relaxed) >= 20_000)
    }

    @Test("a ring says in its file that it ended, without being released")
    func ends() throws {
        let ring = try EventRing(path: folder.file(), capacity: 4)
        ring.append(1)
        #expect(try EventRingFile.read(folder.file()).writer == .running)
        ring.end()
        ring.append(2)
        let found = try EventRingFile.read(folder.file())
        #expect(found == ring.snapshot())
        #expect(found.writer == .ended && found.entries.map { $0[0] } == [1, 2])
    }

    /// A ring of this number at the path, whose writer is gone.
    private func leave(_ number: UInt64) throws {
        try EventRing(path: folder.file(), capacity: 4).append(number)
    }

    private func numbers(_ name: String = "flight.ring") throws -> [UInt64] {
        try EventRingFile.read(folder.file(name)).entries.map { $0[0] }
    }

    @Test("the ring of an earlier run is kept, and only one")
    func keepsThePrevious() throws {
        try leave(1)
        try leave(2)
        #expect(try numbers() == [2] && numbers("flight.ring.previous") == [1])
        try leave(3)
        #expect(try numbers() == [3] && numbers("flight.ring.previous") == [2])
        #expect(Set(folder.files) == ["flight.ring", "flight.ring.previous"])
    }

    @Test("an empty file is replaced, and not kept")
    func replacesAnEmptyFile() throws {
        try Bytes.write([], folder.file())
        try leave(1)
        #expect(try numbers() == [1] && folder.files == ["flight.ring"])
    }

    @Test("what is no ring stays as it is", arguments: ["flight.ring", "flight.ring.previous"])
    func replacesNothingElse(name: String) throws {
        if name != "flight.ring" { try leave(1) }
        let text = Array("precious text".utf8)
        for bytes in [text, [7]] {
            try Bytes.write(bytes, folder.file(name))
            let before = Set(folder.files)
            #expect(throws: EventRingError.notReplaced(path: folder.file())) {
                try EventRing(path: folder.file(), capacity: 4)
            }
            #expect(try Bytes.read(folder.file(name)) == bytes)
            #expect(Set(folder.files) == before)
        }
        if name != "flight.ring" { #expect(try numbers() == [1]) }
    }

    @Test("a link is neither replaced nor written through, whether its target exists or not", arguments: [true, false])
    func links(hasTarget: Bool) throws {
        let text = Array("precious text".utf8)
        if hasTarget { try Bytes.write(text, folder.file("target")) }
        try FileManager.default.createSymbolicLink(atPath: folder.file(), withDestinationPath: folder.file("target"))
        #expect(throws: EventRingError.self) { try EventRing(path: folder.file(), capacity: 4) }
        #expect(Set(folder.files) == (hasTarget ? ["flight.ring", "target"] : ["flight.ring"]))
        if hasTarget { #expect(try Bytes.read(folder.file("target")) == text) }
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file())
        #expect(link == folder.file("target"))
    }

    @Test("a ring whose writer is alive is not replaced, and is when that is gone")
    func oneWriterAPath() throws {
        var old = Optional(try EventRing(path: folder.file(), capacity: 4))
        old?.append(1)
        #expect(throws: EventRingError.inUse(path: folder.file())) {
            try EventRing(path: folder.file(), capacity: 1024)
        }
        old?.append(2)
        #expect(try numbers() == [1, 2])
        #expect(folder.files == ["flight.ring"])
        old = nil
        try leave(3)
        #expect(try numbers() == [3] && numbers("flight.ring.previous") == [1, 2])
        let previous = try EventRing(path: folder.file("other"), capacity: 4)
        #expect(rename(folder.file("other"), folder.file("flight.ring.previous")) == 0)
        #expect(throws: EventRingError.inUse(path: folder.file())) { try leave(4) }
        #expect(try numbers() == [3])
        withExtendedLifetime(previous) {}
    }

    @Test("a process that is being started does not keep the path of a ring that has ended")
    func inheritedDescriptor() throws {
        var ring = Optional(try EventRing(path: folder.file(), capacity: 4))
        var (wanted, found) = (stat(), stat())
        #expect(stat(folder.file(), &wanted) == 0)
        let file = (0..<4096 as Range<Int32>).first {
            fstat($0, &found) == 0 && found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino
        }
        // Both descriptors have one lock, as after a fork.
        let inherited = dup(try #require(file))
        defer { close(inherited) }
        #expect(throws: EventRingError.inUse(path: folder.file())) { try leave(1) }
        ring = nil
        #expect(ring == nil)
        try leave(2)
        #expect(try numbers() == [2])
    }

    @Test("of many that want one path at the same moment, one gets it")
    func race() throws {
        try leave(1)
        for _ in 0..<50 {
            let made = Recorder<EventRing>()
            let refused = Recorder<EventRingError>()
            onThreads(4) { _ in
                do throws(EventRingError) {
                    made.record(try EventRing(path: folder.file(), capacity: 4))
                } catch {
                    refused.record(error)
                }
            }
            #expect(made.count == 1)
            #expect(refused.all.allSatisfy { $0 == .inUse(path: folder.file()) }, "\(refused.all)")
            #expect(try EventRingFile.read(folder.file()).writer == .running)
        }
        #expect(Set(folder.files) == ["flight.ring", "flight.ring.previous"])
    }

    /// Where the child of `killed` writes.
    static func pathOfKilled(parent: Int32) -> String {
        NSTemporaryDirectory() + "/millrace-ring-killed-\(parent).ring"
    }

    @Test("what a process wrote is there after it was killed with SIGKILL in the middle of it")
    func killed() async throws {
        let path = Self.pathOfKilled(parent: getpid())
        defer { try? FileManager.default.removeItem(atPath: path) }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let path = EventRingFileTests.pathOfKilled(parent: getppid())
            let ring = try EventRing(path: path, capacity: 1024, wordsPerEntry: 6)
            _ = ring.intern("before the end")
            onThreads(2) { thread in
                var sequence: UInt64 = 0
                while thread == 0 {
                    ring.appendNext(sequence)
                    sequence += 1
                }
                while ring.appended < 100_000 {}
                kill(getpid(), SIGKILL)
            }
        }
        let snapshot = try EventRingFile.read(path)
        #expect(snapshot.fault == nil)
        #expect(snapshot.writer == .lost, "the system took its lock away")
        #expect(snapshot.entries.count + Int(snapshot.torn) == 1024)
        #expect(snapshot.torn <= 1)
        #expect(snapshot.overwritten + 1024 >= 100_000)
        #expect(snapshot.texts == ["before the end"])
        #expect(snapshot.origin.isThisBoot)
        #expect(snapshot.origin.processID != Int64(getpid()))
        _ = try EventRing(path: path, capacity: 2)
        #expect(try EventRingFile.read(path + ".previous") == snapshot)
        try FileManager.default.removeItem(atPath: path + ".previous")
    }

    @Test("an entry that was cut short is left out and counted")
    func cutShort() throws {
        let ring = try EventRing(path: folder.file(), capacity: 4, wordsPerEntry: 1)
        for number in 0..<6 as Range<UInt64> { ring.append(number) }
        var bytes = try Bytes.read(folder.file())
        // As the writer leaves it who is stopped after it marked the slot of position 6.
        let slot = bytes.count - 4 * 16 + 2 * 16
        withUnsafeBytes(of: UInt64(6 + 1) << 1 | 1) { bytes.replaceSubrange(slot..<slot + 8, with: $0) }
        try Bytes.write(bytes, folder.file("cut"))
        let snapshot = try EventRingFile.read(folder.file("cut"))
        #expect(snapshot.entries.map(\.sequence) == [3, 4, 5])
        #expect(snapshot.torn == 1)
    }
}
