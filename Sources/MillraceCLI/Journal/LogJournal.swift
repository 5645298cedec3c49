// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceJournalCommand
import MillraceRecords

/// The journals of `millrace run`, for `millrace journal`. Their first action says how the run was begun, so the
/// initial state needs no options.
enum LogJournal: JournalModel {
    static func codec() throws -> any ActionCodec<LogAction> { LogActionCodec() }
    static func stateCodec() throws -> (any ActionCodec<LogState>)? { LogStateCodec() }
    static var initialState: LogState { LogState(producers: 1, maximumKeys: 1) }
    static var reducer: Reducer<LogAction, LogState> { .accessLogWithPage }

    static var invariants: [JournalInvariant<LogState>] {
        [
            JournalInvariant("statuses", staysBroken: true) { state in
                state.statuses.reduce(0, &+) == state.events
            },
            // Lines are counted when their chunk was read, events as they come. With shards, the first one counts the
            // lines of all.
            JournalInvariant("complete") { state in
                !state.isComplete || state.run?.shards != nil
                    || state.lines == state.events &+ state.malformed &+ state.directives
            },
            JournalInvariant("no-malformed-line", staysBroken: true) { state in state.malformed == 0 },
        ]
    }

    static func describe(_ action: LogAction) -> String {
        switch action {
        case .event(let event):
            """
            event \(event.status), \(event.size) bytes, host \(event.host), path \(event.path), minute \(event.minute), \
            method \(event.method), producer \(event.producer)
            """
        case .define(let key):
            "define \(key.dimension) \(key.number) of producer \(key.producer): \(key.text.printable)"
        case .malformed(let line): "malformed line \(line.line) of chunk \(line.chunk): \(line.reason.words)"
        case .chunkRead(let chunk): "chunk \(chunk.chunk) of input \(chunk.input) read: \(chunk.lines) lines"
        case .inputEnded: "input ended"
        case .alert(let alert): "alert of \(alert.text.printable)"
        case .recovered(let alert): "recovered: \(alert.text.printable)"
        case .began(let run):
            "began: \(run.producers) producers, \(run.inputs.isEmpty ? "a generated log" : run.inputs.map(\.name).joined(separator: ", "))"
        }
    }
}
