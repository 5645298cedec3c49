// SPDX-License-Identifier: Apache-2.0

import Glibc
import MillraceCore

@testable import MillraceRecords

/// Files of recorded sessions, whose values are JSON. The first byte: bit 0, whether the checksums are made right.
let sessionTarget = FuzzTarget(name: "session", mostBytes: 4096, seeds: sessionSeeds) { input in
    var choices = Choices(input)
    let isForged = choices.byte() % 2 == 1
    let bytes = isForged ? withChecksums(choices.rest()) : choices.rest()
    let first = read(bytes)
    expect(read(bytes) == first, "read twice, it is not the same")
    switch first {
    case .failure(let error): expect(!error.description.isEmpty, "an error without words")
    case .success(let session):
        expect(session.isComplete == isComplete(session, bytes), "it is complete: \(session.isComplete): \(session)")
        guard session.isComplete || session.finalHash == nil else { return }
        guard case .success(let again) = read(written(session)) else {
            return expect(false, "what was written cannot be read: \(session)")
        }
        // A forged file may give an action the kind of another, so kinds are not compared. A session without a hash is
        // not ended by its writer.
        let isSame =
            again.actions.map(\.action) == session.actions.map(\.action)
            && again.actions.map(\.head) == session.actions.map(\.head) && again.initialState == session.initialState
            && again.finalHash == session.finalHash && again.isComplete == (session.finalHash != nil)
        expect(isSame, "written and read again: \(again) and not \(session)")
    }
}

private typealias Session = RecordedSession<FuzzState, FuzzEvent>

private let actions: CodableCodec<FuzzEvent> = {
    do { return try CodableCodec(version: 1) } catch { preconditionFailure("\(error)") }
}()

private let states: CodableCodec<FuzzState> = {
    do { return try CodableCodec(version: 1) } catch { preconditionFailure("\(error)") }
}()

private func read(_ bytes: [UInt8]) -> Result<Session, RecordFileError> {
    do throws(RecordFileError) {
        return .success(try SessionFile.read(bytes: bytes, actions: actions, states: states, unknownKinds: .skip))
    } catch {
        return .failure(error)
    }
}

/// Whether a session has all actions of its recording, as the frames of its file tell: the last one ends the file, and
/// an end counts the actions.
private func isComplete(_ session: Session, _ bytes: [UInt8]) -> Bool {
    var counted: UInt64?
    do throws(RecordFileError) {
        var frames = try FrameReader(bytes: bytes)
        while let record = try frames.next() {
            if case .end(_, let count) = record.content { counted = count }
        }
        return frames.frame?.isLast == true && counted == UInt64(session.actions.count)
    } catch {
        return false
    }
}

private func written(_ session: Session) -> [UInt8] {
    let path = "\(scratch)/session-\(getpid())"
    defer { unlink(path) }
    do throws(RecordFileError) {
        try SessionFile.write(session, to: path, actions: actions, states: states)
    } catch {
        expect(false, "what was read cannot be written: \(error)")
    }
    return contents(path)
}

@Sendable private func sessionSeeds() -> [(name: String, bytes: [UInt8])] {
    let events: [FuzzEvent] = [.opened(name: "a\"\u{1F600}"), .moved(x: -1, y: nil), .moved(x: 3, y: 4), .closed]
    let recorded = events.enumerated().map { number, event in
        RecordedAction(head: RecordHead(sequence: UInt64(number + 1), time: recordTime), kind: "", action: event)
    }
    let state = FuzzState(count: 1, texts: ["a"], table: ["b": 0.5])
    let whole = Session(initialState: state, actions: recorded, finalHash: CanonicalHash(rawValue: 9))
    let killed = Session(initialState: state, actions: recorded, isComplete: false)
    let bytes = written(whole)
    return [
        ("whole", [0] + bytes), ("forged", [1] + bytes), ("killed", [0] + written(killed)),
        ("torn", [0] + bytes.dropLast(30)), ("empty", [0] + written(Session(initialState: state, actions: []))),
    ]
}
