// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A message file as LOBSTER makes them: time, type, order, size, price in dollars times 10,000, direction.
///
/// A line that cannot be used is counted with its reason, and reading goes on.
package struct LobsterFile: Sendable {
    /// Why a line was not used.
    package enum Problem: String, CaseIterable, Sendable {
        case columns = "not six columns"
        case time = "the time is no number"
        case type = "an unknown type"
        case auction = "a cross trade of an auction, which is not of the book"
        case order = "the order is no number"
        case size = "the size is not 1 or more"
        case price = "the price is not 1 or more"
        case direction = "the direction is neither 1 nor -1"
        case halt = "a halt whose price is not -1, 0 or 1"
    }

    /// The actions, in the order of the lines.
    package private(set) var actions: [BookAction] = []
    package private(set) var lines = 0
    package private(set) var problems: [Problem: Int] = [:]

    /// Reads the bytes of a file.
    package init(_ bytes: some Sequence<UInt8>) {
        var line: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { read(&line) } else { line.append(byte) }
        }
        read(&line)
    }

    /// Reads a file.
    package init(path: String) throws {
        self.init(try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe))
    }

    private mutating func read(_ line: inout [UInt8]) {
        defer { line.removeAll(keepingCapacity: true) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard !line.isEmpty else { return }
        lines += 1
        switch Self.action(of: line) {
        case .success(let action): actions.append(action)
        case .failure(let problem): problems[problem, default: 0] += 1
        }
    }

    /// The action of one line.
    package static func action(of line: [UInt8]) -> Result<BookAction, Problem> {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 6 else { return .failure(.columns) }
        guard isTime(fields[0]) else { return .failure(.time) }
        guard let type = number(fields[1]), (1...7).contains(type) else { return .failure(.type) }
        if type == 6 { return .failure(.auction) }
        guard let price = number(fields[4]) else { return .failure(.price) }
        if type == 7 {
            switch price {
            case -1: return .success(.halt)
            // Quotes are allowed again: only trading counts here.
            case 0, 1: return .success(price == 1 ? .resume : .halt)
            default: return .failure(.halt)
            }
        }
        guard let text = number(fields[2]), let id = UInt64(exactly: text) else { return .failure(.order) }
        guard let size = number(fields[3]).flatMap({ Int32(exactly: $0) }), size > 0 else { return .failure(.size) }
        guard let price = Int32(exactly: price), price > 0 else { return .failure(.price) }
        guard let direction = number(fields[5]), abs(direction) == 1 else { return .failure(.direction) }
        switch type {
        case 1:
            // The data does not say whose order it is: one in eight belongs to the desk, so that the guard has work.
            let account: Account = id % 8 == 0 ? .desk : .other
            let side: Side = direction == 1 ? .buy : .sell
            return .success(.place(Order(id: id, side, size: size, price: price, account: account)))
        case 2: return .success(.reduce(id: id, by: size))
        case 3: return .success(.cancel(id: id))
        case 4: return .success(.executed(id: id, size: size))
        default: return .success(.executedHidden(size: size, price: price))
        }
    }

    /// An integer of at most 18 digits.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        let isNegative = field.first == UInt8(ascii: "-")
        let digits = isNegative ? field.dropFirst() : field
        guard (1...18).contains(digits.count), let value = digitsOnly(digits) else { return nil }
        return isNegative ? -value : value
    }

    private static func isTime(_ field: ArraySlice<UInt8>) -> Bool {
        let parts = field.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return parts.allSatisfy { (1...18).contains($0.count) && digitsOnly($0) != nil }
    }

    private static func digitsOnly(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = 10 * value + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension LobsterFile.Problem: Error {}

extension Symbol {
    /// The symbol of a LOBSTER file, whose name begins with it: `AAPL_2012-06-21_…_message_5.csv`.
    package init?(lobsterFile path: String) {
        let name = path.split(separator: "/").last ?? ""
        self.init(name.prefix { $0 != "_" && $0 != "." })
    }
}
