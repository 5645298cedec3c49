// SPDX-License-Identifier: Apache-2.0

/// Writes the lines of a generated log. Line n is always the same, for any thread and at any time.
struct LineGenerator: Sendable {
    /// The maximum length of a generated line, including the bytes that a copy overwrites behind it.
    static let maximumLength = 1024
    /// The number of lines that share one sequence of random numbers.
    static let block = 1024

    private let seed: UInt64
    private let total: Int
    private let vocabulary: LogVocabulary
    /// One line in this number of lines is malformed.
    private let malformedOneIn = 1000

    init(seed: UInt64, total: Int) {
        self.seed = seed
        self.total = total
        vocabulary = LogVocabulary(seed: seed)
    }

    /// Returns the number of lines in a block.
    func lines(inBlock block: Int) -> Int {
        min(Self.block, total - block * Self.block)
    }

    /// The number of blocks of the whole log.
    var blocks: Int { (total + Self.block - 1) / Self.block }

    /// Writes the lines of a block and returns the address behind them. `block * maximumLength` bytes must be free.
    func write(block: Int, to start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        var random = SplitMix64(seed: seed ^ (UInt64(block) &+ 1) &* 0xD6E8_FEB8_6659_FD93)
        var place = start
        for number in block * Self.block..<block * Self.block + lines(inBlock: block) {
            let line = place
            place = write(line: number, to: place, &random)
            if random.below(malformedOneIn) == 0 { place = spoil(line, place, random.below(8)) }
        }
        return place
    }

    @inline(__always)
    private func write(
        line: Int,
        to start: UnsafeMutablePointer<UInt8>,
        _ random: inout SplitMix64
    ) -> UnsafeMutablePointer<UInt8> {
        let draw = random.next()
        let more = random.next()
        var place = vocabulary.hosts.write(draw, to: start)
        place[0] = Byte.space
        place = vocabulary.users.write(draw >> 16, to: place + 1)
        place = writeTime(second: line * 86_400 / total, to: place)
        place = vocabulary.requests.write(draw >> 32, to: place)
        place = writeSize(draw >> 48, more, to: place)
        place = writeText(" \"", to: place)
        place = vocabulary.referers.write(more >> 24, to: place)
        place = writeText("\" \"", to: place)
        place = vocabulary.agents.write(more >> 40, to: place)
        return writeText("\"\n", to: place)
    }

    /// Writes the time. The day is 1 July 2024, and the server's clock is in Berlin.
    @inline(__always)
    private func writeTime(second: Int, to start: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        let place = writeText("01/Jul/2024:00:00:00 +0200] \"", to: start)
        writePair(second / 3600, to: start + 12)
        writePair(second / 60 % 60, to: start + 15)
        writePair(second % 60, to: start + 18)
        return place
    }

    @inline(__always)
    private func writePair(_ value: Int, to place: UnsafeMutablePointer<UInt8>) {
        place[0] = Byte.zero &+ UInt8(truncatingIfNeeded: value / 10)
        place[1] = Byte.zero &+ UInt8(truncatingIfNeeded: value % 10)
    }

    /// Writes the size of an answer: mostly some kilobytes, sometimes megabytes. One answer in sixteen has no body.
    @inline(__always)
    private func writeSize(
        _ draw: UInt64,
        _ more: UInt64,
        to start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        if draw & 15 == 0 {
            start[0] = Byte.dash
            return start + 1
        }
        var rest = ((draw >> 4) & 0xFFF) + ((more & 0xFFFFFF) >> (8 + (draw >> 10) & 7))
        var digits = 1
        var bound: UInt64 = 10
        while rest >= bound {
            digits += 1
            bound *= 10
        }
        for place in stride(from: digits - 1, through: 0, by: -1) {
            start[place] = Byte.zero &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return start + digits
    }

    @inline(__always)
    private func writeText(_ text: StaticString, to place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        place.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
        return place + text.utf8CodeUnitCount
    }

    /// Makes the line `start ..< end` malformed in one of eight ways and returns its new end.
    private func spoil(
        _ start: UnsafeMutablePointer<UInt8>,
        _ end: UnsafeMutablePointer<UInt8>,
        _ way: Int
    ) -> UnsafeMutablePointer<UInt8> {
        switch way {
        case 0: return writeText("\n", to: start)
        case 1: return writeText("-- log rotated --\n", to: start)
        case 2: start[3] = 0
        case 3: return writeText("\n", to: start + (end - start) / 3)
        case 4:
            return writeText(
                "10.0.0.1 - - [32/Jul/2024:00:00:00 +0200] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\"\n",
                to: start
            )
        case 5:
            return writeText(
                "10.0.0.1 - - [01/Jul/2024:00:00:00 +0200] \"\\x16\\x03\\x01\" 400 0 \"-\" \"-\"\n",
                to: start
            )
        case 6:
            return writeText(
                "10.0.0.1 - - [01/Jul/2024:00:00:00 +0200] \"GET / HTTP/1.1\" 999 1 \"-\" \"-\"\n",
                to: start
            )
        default:
            return writeText(
                "10.0.0.1 - - [01/Jul/2024:00:00:00 +0200] \"GET / HTTP/1.1\" 200 1 \"-\" \"-\" x\n",
                to: start
            )
        }
        return end
    }
}
