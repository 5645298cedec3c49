// SPDX-License-Identifier: Apache-2.0

/// The last number of each producer, and the sequence of that action.
///
/// The actions of one producer mostly come in rows. So the mark of the last producer stands apart: for it no table is
/// searched.
struct ProducerMarks {
    typealias Mark = (number: UInt64, sequence: UInt64)

    /// All marks, but that of `last` may be old.
    private var table: [String: Mark]
    private var last: (producer: String, mark: Mark)?

    init(_ table: [String: Mark]) {
        self.table = table
    }

    /// The mark of a producer; nil for an unknown one.
    subscript(producer: String) -> Mark? {
        if let last, last.producer == producer { return last.mark }
        return table[producer]
    }

    mutating func set(_ producer: String, _ mark: Mark) {
        if last?.producer == producer {
            last?.mark = mark
        } else {
            settle()
            last = (producer, mark)
        }
    }

    /// Removes a producer. Returns false if it is unknown.
    mutating func remove(_ producer: String) -> Bool {
        settle()
        return table.removeValue(forKey: producer) != nil
    }

    /// All marks.
    var all: [String: Mark] {
        mutating get {
            settle()
            return table
        }
    }

    private mutating func settle() {
        if let last { table[last.producer] = last.mark }
        last = nil
    }
}
