// SPDX-License-Identifier: Apache-2.0

import Glibc
import Millrace
import MillraceLogging
import TestSupport
import Testing

@Suite("Logger: files", .timeLimit(.minutes(5)))
struct FileAppenderTests {
    private let folder = TemporaryFolder()
    private let errors = Recorder<FileAppenderError>()

    private func makeAppender(_ name: String = "log", time: String = "now") -> FileAppender {
        let errors = errors
        return FileAppender(path: "\(folder.path)/\(name)", onError: { errors.record($0) }, timestamp: { time })
    }

    @Test("a line each, with the time before it, at the end of the file")
    func lines() {
        do {
            let file = makeAppender()
            file.write("one")
            file.write("two\nforged")
        }
        let file = makeAppender(time: "")
        file.write("three")
        #expect(folder.lines("log") == ["now one", "now two\\nforged", "three", ""])
        #expect(file.metrics.writtenLines == 1 && errors.all.isEmpty)
    }

    @Test("the owner can write a new file, the group can read it, and others can do nothing")
    func rights() {
        makeAppender().write("one")
        var status = stat()
        #expect(stat("\(folder.path)/log", &status) == 0)
        // What the umask removes is the user's choice.
        #expect(status.st_mode & 0o777 & ~0o040 == 0o600)
    }

    @Test("the time is in UTC, to the millisecond")
    func time() {
        let time = FileAppender.utc()
        #expect(time.wholeMatch(of: /20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\d\.\d{3}Z/) != nil, "\(time)")
    }

    @Test("a wall clock that jumps changes the times of lines, and not their order or their file")
    func jumps() {
        // An hour back, then a day forward, over midnight and the end of a year.
        let times = Shared([
            "2026-12-31T23:59:59.999Z", "2026-12-31T22:59:59.999Z", "2027-01-01T22:59:59.999Z",
            "2026-12-31T23:00:00.000Z",
        ])
        let expected = times.value.enumerated().map { "\($1) line \($0)" }
        let file = FileAppender(path: "\(folder.path)/log", timestamp: { times.update { $0.removeFirst() } })
        for number in 0..<4 { file.write("line \(number)") }
        #expect(folder.lines("log") == expected + [""])
        #expect(file.metrics.writtenLines == 4 && file.metrics.errors == 0)
    }

    @Test("rotation: after reopen the lines go to what is at the path, and none is lost")
    func rotation() {
        let file = makeAppender()
        file.write("one")
        rename("\(folder.path)/log", "\(folder.path)/log.1")
        file.write("two")
        file.reopen()
        file.write("three")
        #expect(folder.lines("log.1") == ["now one", "now two", ""])
        #expect(folder.lines("log") == ["now three", ""])
    }

    @Test("a folder that is missing: the error says so, lines are counted, and it goes on once the folder is there")
    func noFolder() {
        let file = makeAppender("later/log")
        file.write("one")
        file.write("two")
        let path = "\(folder.path)/later/log"
        let expected = FileAppenderError.cannotOpen(path: path, reason: "No such file or directory", lostLines: 1)
        #expect(errors.all == [expected, expected])
        #expect(expected.description.contains("'\(path)' cannot be opened (No such file or directory)"))
        #expect(file.metrics.errors == 2 && file.metrics.lostLines == 2 && file.metrics.writtenLines == 0)
        mkdir("\(folder.path)/later", 0o700)
        file.write("three")
        #expect(folder.lines("later/log") == ["now three", ""])
        #expect(file.metrics.writtenLines == 1)
        unlink(path)
        rmdir("\(folder.path)/later")
    }

    @Test("a path that is none is an error, too")
    func noPath() {
        let errors = errors
        let file = FileAppender(path: "a\0b") { errors.record($0) }
        file.write("one")
        #expect(errors.all == [.cannotOpen(path: "a\0b", reason: "that is not a path", lostLines: 1)])
    }

    @Test("a pipe that nobody reads is an error, and holds up nobody; once it is read the lines come")
    func pipe() {
        let path = "\(folder.path)/pipe"
        mkfifo(path, 0o600)
        let file = makeAppender("pipe")
        file.write("one")
        #expect(errors.all == [.cannotOpen(path: path, reason: "nobody reads from it", lostLines: 1)])
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        file.write("two")
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(reader, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "now two\n")
        #expect(file.metrics.writtenLines == 1 && file.metrics.lostLines == 1)
    }

    @Test("while a pipe is full, the metrics are told, and nothing is lost")
    func fullPipe() async {
        let path = "\(folder.path)/pipe"
        mkfifo(path, 0o600)
        let file = makeAppender("pipe", time: "")
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        file.write("first")
        let isWritten = Shared(false)
        // More than a pipe holds.
        let writer = Task.detached {
            file.write(String(repeating: "x", count: 300_000))
            isWritten.update { $0 = true }
        }
        // It has begun to write, and cannot end before somebody reads.
        var held: Int32 = 0
        #expect(await eventually { ioctl(reader, UInt(FIONREAD), &held) == 0 && held > 6 })
        #expect(file.metrics.writtenLines == 1 && !isWritten.value)
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        #expect(
            await eventually {
                total += max(0, read(reader, &bytes, bytes.count))
                return total == 300_007
            }
        )
        await writer.value
        #expect(file.metrics.writtenLines == 2 && file.metrics.lostLines == 0)
    }

    @Test("a full disk: an error each time, and the store goes on")
    func full() async {
        let errors = errors
        let file = FileAppender(path: "/dev/full") { errors.record($0) }
        let log = ActionLog()
        let store = makeStore(nothing.logger(actionPrinter: .file(file), log: log))
        for _ in 0..<10 { store.dispatch(.clear) }
        await store.drain()
        await log.flush()
        #expect(store.metrics.reduced == 10)
        #expect(file.metrics.lostLines == 10 && file.metrics.writtenLines == 0)
        #expect(errors.all.reduce(0) { $0 + $1.lostLines } == 10)
        #expect(errors.all.first.map { if case .cannotWrite = $0 { true } else { false } } == true)
    }

    @Test("a line that was cut off by the end of the room is ended before the next one")
    func torn() async {
        // In a process of its own, as the limit holds for all files of it.
        await #expect(processExitsWith: .success) {
            let folder = TemporaryFolder()
            let errors = Recorder<FileAppenderError>()
            let file = FileAppender(path: folder.path + "/log", onError: { errors.record($0) }, timestamp: { "" })
            file.write("12345678")
            // Room for half a line more.
            limitFiles(to: 13)
            file.write("abcdefgh")
            limitFiles(to: 1_000_000)
            file.write("next")
            #expect(folder.lines("log") == ["12345678", "abcd", "next", ""])
            #expect(file.metrics.lostLines == 1 && file.metrics.writtenLines == 2)
            #expect(errors.all.map(\.lostLines) == [1])
        }
    }

    @Test("several appenders and threads on one file: every line whole, none lost")
    func threads() async {
        let first = makeAppender(time: "")
        let second = makeAppender(time: "")
        await elsewhere {
            onThreads(4) { thread in
                let file = thread % 2 == 0 ? first : second
                for number in 0..<500 {
                    file.write("\(thread):\(number):" + String(repeating: "x", count: number % 90))
                }
            }
        }
        let lines = folder.lines("log")?.dropLast() ?? []
        #expect(lines.count == 2_000)
        var next = [0, 0, 0, 0]
        for line in lines {
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, let thread = Int(parts[0]), let number = Int(parts[1]) else {
                Issue.record("torn: \(line)")
                continue
            }
            #expect(number == next[thread] && parts[2].count == number % 90)
            next[thread] = number + 1
        }
    }

    @Test("actions and states of a store, in one file and in order")
    func store() async {
        let file = makeAppender(time: "t")
        let log = ActionLog()
        let store = makeStore(
            nothing.logger(
                actionTransform: .actionNameOnly,
                actionPrinter: .file(file),
                stateDiffTransform: .recursive(stateName: "Cart", spelling: .indexed),
                stateDiffPrinter: .file(file),
                log: log
            )
        )
        store.dispatch(.rename("Ada"))
        store.dispatch(.clear)
        store.dispatch(.add("tea", price: 4))
        await store.drain()
        await log.flush()
        #expect(
            folder.lines("log") == [
                "t rename", "t 🏛 Cart.owner: \"nobody\" → \"Ada\"", "t clear", "t add", "t 🏛 Cart.prices[0]: ∅ → 4", "",
            ]
        )
    }
}
