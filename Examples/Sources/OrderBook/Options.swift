// SPDX-License-Identifier: Apache-2.0

import Millrace
import MillraceJournal
import OrderBookModel

/// What the command line says.
struct Options {
    static let usage = """
        OrderBook [--events N] [--symbols N] [--seed S] [--order internalFirst|fifo] [--csv FILE]
                  [--journal FOLDER] [--durability process|interval|grouped|every]

          --events N       how many orders and cancels are generated, of all symbols together (1000000)
          --symbols N      how many symbols, 1 to 26 (8)
          --seed S         another seed makes other orders (1)
          --order ORDER    internalFirst (default): a report of the risk guard is handled next; fifo: it waits
          --csv FILE       reads a message file of LOBSTER in place of generated orders
          --journal FOLDER keeps a journal there. A run that was killed goes on with the same command
          --durability L   when an action counts as durable (process)
        """

    var events = 1_000_000
    var symbols = 8
    var seed: UInt64 = 1
    var order = ActionOrder.internalFirst
    var csv: String?
    var folder: String?
    var durability = Durability.process

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError(text: "'\(name)' has no value, or is no option") }
            switch name {
            case "--events": events = try Self.number(value, of: name, 1...1_000_000_000)
            case "--symbols": symbols = try Self.number(value, of: name, 1...26)
            case "--seed": seed = UInt64(try Self.number(value, of: name, 0...Int.max))
            case "--order": order = try Self.choice(value, of: name, ["internalFirst": .internalFirst, "fifo": .fifo])
            case "--csv": csv = value
            case "--journal": folder = value
            case "--durability":
                let levels: [String: Durability] = [
                    "process": .process, "interval": .interval(.milliseconds(100)), "grouped": .grouped,
                    "every": .every,
                ]
                durability = try Self.choice(value, of: name, levels)
            default: throw UsageError(text: "there is no option '\(name)'")
            }
        }
    }

    /// What must be the same when a journal goes on.
    var description: String {
        let input = csv.map { "csv \($0)" } ?? "seed \(seed), \(symbols) symbols, \(events) events"
        return "\(input), order \(order == .fifo ? "fifo" : "internalFirst")"
    }

    private static func number(_ text: String, of name: String, _ range: ClosedRange<Int>) throws(UsageError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw UsageError(text: "'\(name)' takes a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func choice<Value>(
        _ text: String,
        of name: String,
        _ values: [String: Value]
    ) throws(UsageError) -> Value {
        guard let value = values[text] else {
            throw UsageError(text: "'\(name)' takes one of \(values.keys.sorted().joined(separator: ", "))")
        }
        return value
    }
}

/// A mistake on the command line, or a folder of another run.
struct UsageError: Error {
    var text: String
}
