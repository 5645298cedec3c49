// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MillraceCore
import MillraceJournalCommand
import MillraceRecords

/// The journal commands for actions that are numbers, for tests of `verify`. With `DISHONEST` in the environment the reducer
/// depends on the order of a set, which differs from process to process.
@main
enum Probe {
    static func main() {
        if ProcessInfo.processInfo.environment["DISHONEST"] != nil {
            JournalCommand<Dishonest>.main()
        } else {
            JournalCommand<Honest>.main()
        }
    }
}

enum Honest: JournalModel {
    static func codec() throws -> any ActionCodec<Int> { try BitwiseCodec<Int>(version: 1) }
    static var initialState: [Int] { [] }
    static var reducer: Reducer<Int, [Int]> {
        .reduce { number, numbers in
            numbers.append(number)
            if numbers.count > 100 { numbers.removeFirst(50) }
        }
    }
}

enum Dishonest: JournalModel {
    static func codec() throws -> any ActionCodec<Int> { try BitwiseCodec<Int>(version: 1) }
    static var initialState: [Int] { [] }
    static var reducer: Reducer<Int, [Int]> {
        .reduce { number, numbers in
            numbers = Array(Set(numbers + [number]))
            if numbers.count > 100 { numbers.removeFirst(50) }
        }
    }
}
