// SPDX-License-Identifier: Apache-2.0

import Millrace

/// How far a recovery applies the reducers by itself, and what it learns from the records that are not actions.
struct RecoveryFold {
    /// The last number of each producer, and the sequence of that action.
    typealias Marks = [String: (number: UInt64, sequence: UInt64)]

    /// The state is folded up to this action. The store handles the later ones again.
    let end: UInt64
    /// The producers at the end of the journal.
    private(set) var marks: Marks
    /// The producers where the fold ends.
    var marksAtEnd: Marks { beforeRest ?? marks }
    private(set) var effects = EffectMarks()
    private var beforeRest: Marks?

    /// - Parameter finished: All effects of actions up to this one have ended; nil: no action is handled again.
    init(_ marks: Marks, snapshot: Snapshot?, until finished: UInt64?) {
        self.marks = marks
        end = max(finished ?? .max, snapshot?.sequence ?? 0)
        for record in snapshot?.records ?? [] { effects.read(record) }
    }

    mutating func read(_ record: JournalRecord, after last: UInt64) {
        if case .mark(let producer, let number) = record { marks[producer] = number == 0 ? nil : (number, last) }
        effects.read(record)
    }

    /// Whether the reducers are applied to an action.
    mutating func folds(_ sequence: UInt64) -> Bool {
        if sequence <= end { return true }
        if beforeRest == nil { beforeRest = marks }
        return false
    }
}
