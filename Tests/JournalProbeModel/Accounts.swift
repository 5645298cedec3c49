// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// An action of the program that is killed.
public struct Payment: BitwiseCopyable, Sendable {
    /// Who pays: 1 to 4 are numbered producers, 51 to 54 are not, 101 to 104 are effects.
    public var producer: Int
    /// The producer's number.
    public var number: Int
    /// How much.
    public var amount: Int

    /// Creates a payment.
    public init(producer: Int, number: Int, amount: Int) {
        self.producer = producer
        self.number = number
        self.amount = amount
    }
}

/// The state of that program.
public struct Accounts: Sendable, Codable, Equatable {
    /// The last number of each numbered producer.
    public var last: [Int: Int] = [:]
    /// The sum of all payments.
    public var sum = 0
    /// How many payments there were.
    public var count = 0
    /// How many answers of effects there were for each number of each numbered producer.
    public var answers: [Int: [Int: Int]] = [:]
    /// Payments of numbered producers that did not come in order.
    public var misplaced = 0

    /// Creates empty accounts.
    public init() {}

    /// The reducer.
    public static var paying: Reducer<Payment, Accounts> {
        .reduce { payment, accounts in
            accounts.sum += payment.amount
            accounts.count += 1
            if payment.producer > 100 {
                accounts.answers[payment.producer - 100, default: [:]][payment.number, default: 0] += 1
            }
            guard payment.producer < 50 else { return }
            if accounts.last[payment.producer, default: 0] + 1 != payment.number { accounts.misplaced += 1 }
            accounts.last[payment.producer] = payment.number
        }
    }
}
