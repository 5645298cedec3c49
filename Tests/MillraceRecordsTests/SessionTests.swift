// SPDX-License-Identifier: Apache-2.0

import Foundation
import MillraceCore
import Testing

@testable import MillraceRecords

private struct Account: Codable, Equatable {
    var cents: [String: Int] = [:]
    var lastSeen: ActionTime?
}
private enum Move: Codable, Equatable { case add(String, Int), clear }

private let reducer = Reducer<Move, Account>.reduceAt { move, time, state in
    state.lastSeen = time
    switch move {
    case .add(let name, let cents): state.cents[name, default: 0] += cents
    case .clear: state.cents = [:]
    }
}

@Suite struct SessionTests {
    private func session() throws -> RecordedSession<Account, Move> {
        let moves = [Move.add("a", 1), .add("b", 2), .clear, .add("ü", 3)]
        var session = RecordedSession(
            initialState: Account(cents: ["x": 9]),
            actions: moves.enumerated().map { index, move in
                let time = ActionTime(nanosecondsSince1970: Int64(index) * 1_000_000)
                let kind = if case .add = move { "add" } else { "clear" }
                return RecordedAction(
                    head: RecordHead(sequence: UInt64(index + 5), time: time, source: .here()),
                    kind: kind,
                    action: move
                )
            }
        )
        session.finalHash = try CanonicalHash(of: session.state(after: 4, reducer))
        return session
    }

    @Test func sequencesWithGapsComeBack() throws {
        var session = try session()
        let sequences: [UInt64] = [5, 6, 9, 4_000]
        for (index, sequence) in sequences.enumerated() { session.actions[index].head.sequence = sequence }
        try withFolder { folder in
            let path = folder + "/session.mrs"
            let moves = try CodableCodec<Move>(version: 1)
            let accounts = try CodableCodec<Account>(version: 1)
            try SessionFile.write(session, to: path, actions: moves, states: accounts)
            try expectPythonAgrees(path)
            #expect(try SessionFile.read(path, actions: moves, states: accounts) == session)
        }
    }

    @Test func aSessionComesBackAndReplaysToTheSameState() throws {
        let session = try session()
        try withFolder { folder in
            let path = folder + "/session.mrs"
            let moves = try CodableCodec<Move>(version: 1)
            let accounts = try CodableCodec<Account>(version: 1)
            for _ in 0..<2 { try SessionFile.write(session, to: path, actions: moves, states: accounts) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["session.mrs"])
            try expectPythonAgrees(path)
            let read = try SessionFile.read(path, actions: moves, states: accounts)
            #expect(read == session && read.isComplete)
            let state = try read.replay(reducer)
            #expect(state.cents == ["ü": 3] && state.lastSeen == session.actions[3].head.time)
            #expect(read.state(after: 2, reducer).cents == ["x": 9, "a": 1, "b": 2])
            #expect(read.state(after: 0, reducer) == session.initialState)
        }
    }

    @Test func anotherStateIsNoticed() throws {
        let session = try session()
        let other = Reducer<Move, Account>.reduce { _, state in state.cents["y"] = 1 }
        #expect {
            try session.replay(other)
        } throws: { error in
            guard case ReplayError.otherState(_, _, 4) = error else { return false }
            return true
        }
    }

    /// Cut or changed anywhere: the session has the first actions, or there is an error.
    @Test func aSessionThatIsCutOrChangedIsNeverTakenForRight() throws {
        let session = try session()
        let moves = try CodableCodec<Move>(version: 1)
        let accounts = try CodableCodec<Account>(version: 1)
        let bytes = try withFolder { folder in
            let path = folder + "/session.mrs"
            try SessionFile.write(session, to: path, actions: moves, states: accounts)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
        func check(_ changed: [UInt8], _ what: String) {
            guard let read = try? SessionFile.read(bytes: changed, actions: moves, states: accounts) else { return }
            #expect(read.initialState == session.initialState, "\(what)")
            #expect(read.actions == Array(session.actions.prefix(read.actions.count)), "\(what)")
            #expect(!read.isComplete && read.finalHash == nil, "\(what)")
        }
        for length in 0..<bytes.count { check(Array(bytes[..<length]), "cut at \(length)") }
        for offset in bytes.indices {
            var changed = bytes
            changed[offset] ^= 1 << UInt8(offset % 8)
            check(changed, "byte \(offset)")
        }
    }

    @Test func aSessionWhoseWriterStoppedHasWhatWasFlushed() throws {
        let session = try session()
        try withFolder { folder in
            let path = folder + "/live.mrs"
            let moves = try CodableCodec<Move>(version: 1)
            let accounts = try CodableCodec<Account>(version: 1)
            var writer = try SessionWriter(
                path: path,
                initialState: session.initialState,
                firstSequence: 5,
                actions: moves,
                states: accounts
            )
            for recorded in session.actions.prefix(3) { try writer.append(recorded.action, recorded.head) }
            try writer.flush()
            let read = try SessionFile.read(path, actions: moves, states: accounts)
            #expect(read.actions == Array(session.actions.prefix(3)) && !read.isComplete && read.finalHash == nil)
            #expect(try read.replay(reducer).cents == [:])
            try writer.append(session.actions[3].action, session.actions[3].head)
            try writer.finish(finalHash: try #require(session.finalHash))
            #expect(try SessionFile.read(path, actions: moves, states: accounts) == session)
            try expectPythonAgrees(path)
        }
    }

    @Test func anInitialStateIsNeeded() throws {
        let moves = try CodableCodec<Move>(version: 1)
        var header = RecordFileHeader(purpose: .session)
        header.add(moves.schema, as: .action)
        let bytes = try FrameBuilder(header: header).headerBytes
        #expect(throws: RecordFileError.missing(path: "memory", what: "initial state")) {
            try SessionFile.read(bytes: bytes, actions: moves, states: CodableCodec<Account>(version: 1))
        }
    }

    @Test func aSessionIsCompleteOnlyIfItsFileIsEnded() throws {
        let session = try session()
        let moves = try CodableCodec<Move>(version: 1)
        let accounts = try CodableCodec<Account>(version: 1)
        var header = RecordFileHeader(purpose: .session)
        header.add(moves.schema, as: .action)
        header.add(accounts.schema, as: .state)
        for isLast in [true, false] {
            var frames = try FrameBuilder(header: header)
            try frames.append(
                state: session.initialState,
                time: .now,
                kindBase: moves.schema.kinds.count,
                by: accounts
            )
            for recorded in session.actions { try frames.append(recorded.action, recorded.head, by: moves) }
            frames.append(endWith: 7, actions: 4, time: .now)
            var bytes = frames.headerBytes
            frames.seal(syncedThrough: 0, isLast: isLast) { bytes += $0 }
            let read = try SessionFile.read(bytes: bytes, actions: moves, states: accounts)
            #expect(read.actions == session.actions && read.isComplete == isLast)
        }
    }
}
