// SPDX-License-Identifier: Apache-2.0

import MillraceJournal

/// What the outside of a journaled store knows, over all lives of its program, and the rules that it checks.
struct JournalNotes: Sendable {
    /// The actions in the order of their reduction: those of the recovered state, then those of this life.
    var history: [Deed] = []
    /// The actions handled in this life, or handled again, end here.
    private var position = 0
    /// Where this life left the history of the life before.
    private var left: Int?
    /// As many actions were recovered once, so they are on the disk.
    private var floor = 0
    /// Whether what was acknowledged must be recovered, and what has begun: not after a power cut at some levels.
    private var keeps = (receipts: true, effects: true)
    /// What was acknowledged since the last recovery.
    private var acknowledged: Set<Deed> = []
    /// As many actions were in a state that only holds what is durable.
    private var seen = 0
    /// How often each IO has run, and each effect has begun.
    var told: [Deed: Int] = [:]
    var begun: [Deed: Int] = [:]
    /// The puts whose effects may not begin any more.
    private var cancelled: Set<Deed> = []
    private var pendingCancels: Set<Deed> = []
    var isGateClosed = false
    /// Whether a thread of this life still dispatches.
    var isTicking = false
    var isPluginGone = false
    /// The first broken rule.
    private(set) var broken: String?

    /// The life and its options, for reports.
    private(set) var title = ""

    mutating func breaks(_ rule: String) {
        if broken == nil { broken = "\(rule) (\(title))" }
    }

    /// The last number of a producer in the history.
    func mark(of producer: Int) -> Int {
        history.last { $0.kind == .put && Int($0.producer) == producer }.map { Int($0.number) } ?? 0
    }

    // MARK: The pipeline

    /// An action is handled, or handled again, after so many others.
    mutating func handles(_ deed: Deed, after index: Int) {
        if index > history.count { breaks("sequences have no gap: \(deed) comes after \(index) actions") }
        position = index + 1
        if index < history.count, history[index] != deed {
            if left == nil { left = index }
            history.removeLast(history.count - index)
        }
        if index >= history.count { history.append(deed) }
        cancelled.formUnion(pendingCancels)
        pendingCancels = []
        // A put replaces the effect of the put before. It does so before the next action is handled.
        guard deed.kind == .cancel || deed.kind == .put && deed.hasTask else { return }
        pendingCancels = Set(
            history[..<min(index, history.count)].filter {
                $0.kind == .put && $0.producer == deed.producer && $0.hasTask
            }
        )
    }

    /// An IO runs, and reads a state of so many actions.
    mutating func tells(_ deed: Deed, after index: Int, reading count: Int) {
        told[deed, default: 0] += 1
        if told[deed] != 1 { breaks("an IO runs once: \(deed)") }
        if count <= index { breaks("a held IO reads a state with its own action: \(deed)") }
        seen = max(seen, count)
    }

    /// An effect begins.
    mutating func begins(_ deed: Deed, mayRepeat: Bool) {
        begun[deed, default: 0] += 1
        if begun[deed] != 1, !mayRepeat { breaks("an effect begins once: \(deed)") }
        if cancelled.contains(deed) { breaks("a cancelled effect does not begin: \(deed)") }
    }

    mutating func acknowledges(_ deed: Deed) {
        if !history.contains(deed) { breaks("what is acknowledged was handled: \(deed)") }
        acknowledged.insert(deed)
    }

    /// Others see a state of so many actions.
    mutating func sees(_ count: Int) { seen = max(seen, count) }

    // MARK: Recoveries

    /// A program begins.
    mutating func begins(_ title: String) {
        self.title += title
        (position, left, isGateClosed, isPluginGone) = (0, nil, false, false)
        pendingCancels = []
        // After a crash the recovered history decides what was cancelled.
        cancelled = []
    }

    /// A store was recovered.
    ///
    /// - Parameter last: The last action of the journal.
    mutating func recovers(_ last: Int) {
        let end = left ?? history.count
        if last > end { breaks("the recovered actions are a prefix: \(last) were recovered, \(end) are the same") }
        if last < floor { breaks("what was recovered once is there again: \(last) of \(floor)") }
        floor = last
        let count = max(last, position)
        if count < history.count { history.removeLast(history.count - count) }
        let there = Set(history)
        if keeps.receipts, let lost = acknowledged.first(where: { !there.contains($0) }) {
            breaks("what was acknowledged is recovered: \(lost) is not among \(last)")
        }
        if keeps.effects {
            if let lost = told.keys.first(where: { !there.contains($0) }) {
                breaks("no IO of a lost action has run: \(lost)")
            }
            if let lost = begun.keys.first(where: { !there.contains($0) }) {
                breaks("no effect of a lost action has begun: \(lost)")
            }
            if seen > last { breaks("only durable states are seen: \(seen) of \(last)") }
        }
        told = told.filter { there.contains($0.key) }
        begun = begun.filter { there.contains($0.key) }
        (acknowledged, seen, keeps) = ([], 0, (true, true))
    }

    /// A program has ended.
    ///
    /// - Parameters:
    ///   - receipts: Whether its level protects what was acknowledged from its crash.
    ///   - effects: Whether its level protects the actions whose IOs and effects have begun.
    mutating func ends(keeping receipts: Bool, _ effects: Bool) {
        keeps = (keeps.receipts && receipts, keeps.effects && effects)
    }

    /// The last numbers of the producers in the history.
    var marks: [String: UInt64] {
        var marks: [String: UInt64] = [:]
        for deed in history where deed.kind == .put {
            if UInt64(deed.number) != marks["p\(deed.producer)", default: 0] + 1 {
                return ["the numbers have a gap at \(deed)": 0]
            }
            marks["p\(deed.producer)"] = UInt64(deed.number)
        }
        return marks
    }
}

extension Deed {
    /// Whether the effect of a put has the token of its producer.
    var hasTask: Bool { number % 4 == 0 }

    /// Whether the effect of a put begins after the ends of those before it, of all producers.
    var isInLine: Bool { number % 4 == 1 && (number / 4 + UInt32(producer)) % 2 == 0 }
}

extension Notebook<JournalNotes> {
    func breaks(_ rule: String) { change { $0.breaks(rule) } }
}
