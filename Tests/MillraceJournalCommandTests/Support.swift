// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Millrace
import MillraceRecords
import Synchronization

@testable import MillraceJournalCommand

/// Runs a command for a model. Returns its exit code, and all that it has printed.
func run<Model: JournalModel>(_ model: Model.Type, _ arguments: String...) throws -> (code: Int32, text: String) {
    try run(model, arguments)
}

func run<Model: JournalModel>(_: Model.Type, _ arguments: [String]) throws -> (code: Int32, text: String) {
    let all = Mutex("")
    let code = try run(Model.self, arguments) { text, _ in all.withLock { $0 += text } }
    return (code, all.withLock { $0 })
}

/// Runs a command, and returns what it has printed to standard output and to standard error.
func runApart<Model: JournalModel>(
    _: Model.Type,
    _ arguments: [String]
) throws -> (code: Int32, output: String, errors: String) {
    let texts = Mutex(["", ""])
    let code = try run(Model.self, arguments) { text, isError in texts.withLock { $0[isError ? 1 : 0] += text } }
    return texts.withLock { (code, $0[0], $0[1]) }
}

private func run<Model: JournalModel>(
    _: Model.Type,
    _ arguments: [String],
    _ sink: @escaping @Sendable (String, Bool) -> Void
) throws -> Int32 {
    CommandOutput.$sink.withValue(sink) {
        do {
            var command = try JournalCommand<Model>.parseAsRoot(arguments)
            try command.run()
            return 0
        } catch {
            return (error as? ExitCode)?.rawValue ?? JournalCommand<Model>.exitCode(for: error).rawValue
        }
    }
}

/// The actions of a bank, as an embedder has them.
enum Transfer: Codable, Equatable, Sendable {
    case moved(cents: Int)
    case failed
}

struct Bank: Codable, Sendable {
    var cents = 0
    var failures = 0
}

enum BankJournal: JournalModel {
    static func codec() throws -> any ActionCodec<Transfer> { try CodableCodec<Transfer>(version: 1) }
    static func stateCodec() throws -> (any ActionCodec<Bank>)? { try CodableCodec<Bank>(version: 1) }
    static var initialState: Bank { Bank() }
    static var reducer: Reducer<Transfer, Bank> {
        .reduce { action, bank in
            switch action {
            case .moved(let cents): bank.cents += cents
            case .failed: bank.failures += 1
            }
        }
    }
    static var invariants: [JournalInvariant<Bank>] {
        [
            JournalInvariant("not below zero") { $0.cents >= 0 },
            JournalInvariant("no failure", staysBroken: true) { $0.failures == 0 },
        ]
    }
}

/// The same actions without snapshots and rules, and with a text of their own.
enum PlainJournal: JournalModel {
    static func codec() throws -> any ActionCodec<Transfer> { try CodableCodec<Transfer>(version: 1) }
    static var initialState: Int { 0 }
    static var reducer: Reducer<Transfer, Int> { .reduce { _, count in count += 1 } }
    static func describe(_ action: Transfer) -> String { "<\(action)>" }
}

/// The reducer that was changed since a journal was written.
enum ChangedJournal: JournalModel {
    static func codec() throws -> any ActionCodec<Transfer> { try BankJournal.codec() }
    static func stateCodec() throws -> (any ActionCodec<Bank>)? { try BankJournal.stateCodec() }
    static var initialState: Bank { Bank() }
    static var reducer: Reducer<Transfer, Bank> { .reduce { _, bank in bank.cents += 1 } }
}
