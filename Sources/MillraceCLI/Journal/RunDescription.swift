// SPDX-License-Identifier: Apache-2.0

/// What a journal of `millrace run` counts, and how its lines are dealt to the producers. The first action of the
/// journal holds it. A run goes on only if its own description is the same: then its producers make the same actions.
struct RunDescription: Codable, Equatable, Sendable {
    /// One input: its size and a checksum of its beginning and end tell whether it is still the same.
    struct Input: Codable, Equatable, Sendable {
        var name: String
        var bytes: Int
        var checksum: UInt64
    }

    /// A log that is generated in memory.
    struct Generated: Codable, Equatable, Sendable {
        var events: Int
        var seed: UInt64
    }

    /// Counts the changes of how lines are read, dealt and numbered. A program with another number must not go on.
    private static let currentRules = 2
    /// The number of a run without a page and shards. Programs that know neither can go on with it.
    private static let oldestRules = 1

    var rules: Int
    var producers: Int
    var maximumKeys: Int
    var format: String
    var repetitions: Int
    var inputs: [Input]
    var generated: Generated?
    /// Whether the actions hold what the page of the log shows; nil: no.
    var hasPage: Bool?
    /// The number of shards; nil: one store. Each shard has a journal, which begins with this description.
    var shards: Int?

    init(
        producers: Int,
        maximumKeys: Int,
        format: String,
        repetitions: Int,
        inputs: [Input],
        generated: Generated? = nil,
        hasPage: Bool = false,
        shards: Int = 1
    ) {
        (self.producers, self.maximumKeys, self.format) = (producers, maximumKeys, format)
        (self.repetitions, self.inputs, self.generated) = (repetitions, inputs, generated)
        self.hasPage = hasPage ? true : nil
        self.shards = shards > 1 ? shards : nil
        rules = hasPage || shards > 1 ? Self.currentRules : Self.oldestRules
    }

    /// Returns what differs in another description, and how to mend it; nil: nothing. Names do not count: a file may
    /// have been moved.
    func difference(from now: RunDescription) -> String? {
        if hasPage != now.hasPage {
            return hasPage == nil
                ? "it was begun without --report. Leave it out" : "it was begun with --report. Give that"
        }
        if shards != now.shards {
            return "it was begun with --shards \(shards ?? 1), not \(now.shards ?? 1). Give that"
        }
        if rules != now.rules {
            return
                "it was written by a version of millrace that deals the lines in another way (\(rules), this one \(now.rules)). "
                + "Use that version"
        }
        if let old = generated {
            guard let new = now.generated else { return "it counts a generated log. Leave out the files" }
            if old != new {
                return
                    "it counts --events \(old.events) --seed \(old.seed), not --events \(new.events) --seed \(new.seed). "
                    + "Give these"
            }
        } else if now.generated != nil {
            return "it counts \(inputs.map { "'\($0.name)'" }.joined(separator: ", ")). Give these files"
        }
        if inputs.count != now.inputs.count {
            return "it counts \(inputs.count) files, not \(now.inputs.count). Give the same files in the same order"
        }
        for (old, new) in zip(inputs, now.inputs) where old.bytes != new.bytes || old.checksum != new.checksum {
            return "the file '\(new.name)' is not what '\(old.name)' was when the run began ("
                + (old.bytes == new.bytes ? "other bytes" : "\(new.bytes) bytes, then \(old.bytes)")
                + "). Put the old file back"
        }
        if producers != now.producers {
            return "it was begun with --producers \(producers), not \(now.producers). Give that"
        }
        if maximumKeys != now.maximumKeys {
            return "it was begun with --max-keys \(maximumKeys), not \(now.maximumKeys). Give that"
        }
        if format != now.format { return "it was begun with --format \(format), not \(now.format). Give that" }
        if repetitions != now.repetitions {
            return "it was begun with --repeat \(repetitions), not \(now.repetitions). Give that"
        }
        return nil
    }
}

extension RunDescription.Input {
    /// How many bytes of the beginning, and of the end, the checksum covers.
    private static let looked = 64 << 10

    /// Looks at a file. Only a regular file can be read again after a crash.
    init(path: String) throws(RunJournalError) {
        let file: FileDescriptor
        do { file = try FileDescriptor(path: path) } catch { throw .input(path, error.words) }
        guard file.size > 0 else { throw .notAgain(path) }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.looked)
        defer { buffer.deallocate() }
        for place in [0, max(0, file.size - Self.looked)] {
            do {
                let count = try file.read(into: buffer, count: min(Self.looked, file.size), at: place)
                for byte in UnsafeBufferPointer(start: buffer, count: count) {
                    hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
                }
            } catch {
                throw .input(path, error.words)
            }
        }
        self.init(name: path, bytes: file.size, checksum: hash)
    }
}
