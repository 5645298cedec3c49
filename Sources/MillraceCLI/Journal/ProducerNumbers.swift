// SPDX-License-Identifier: Apache-2.0

import MillraceJournal

/// The numbers of one producer's actions for one store, in a run with a journal: 1, 2, 3, …
///
/// A producer reads its lines from the beginning in every start, and makes the same actions. Those whose numbers are in
/// the journal are not dispatched again.
struct ProducerNumbers: Sendable {
    /// The name of the producer in the journal.
    let name: String
    /// The last number that is in the journal.
    let last: UInt64
    private var next: UInt64 = 1

    init(name: String, last: UInt64) {
        self.name = name
        self.last = last
    }

    mutating func dispatch(_ actions: ContiguousArray<LogAction>, to store: LogStore) {
        let first = next
        next += UInt64(actions.count)
        guard next - 1 > last else { return }
        let known = last >= first ? last - first + 1 : 0
        store.dispatch(contentsOf: actions.dropFirst(Int(known)), producer: name, number: first + known)
    }
}
