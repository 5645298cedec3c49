// SPDX-License-Identifier: Apache-2.0

import MillraceCore
import MillraceRecords

/// What the commands read: the folder of a journal, or the file of a recorded session. Reading takes no lock.
protocol RecordedAccess<Model> {
    associatedtype Model: JournalModel

    /// The oldest action that can be read.
    var first: UInt64 { get }
    /// The last action; less than `first` if there is none.
    func lastSequence() throws -> UInt64
    /// The actions from a sequence on.
    func actions(from sequence: UInt64) throws -> RecordedActions<Model.Action>
    /// The state with which a fold begins: the one before the first action, or that of a snapshot up to a sequence.
    func start(atMost sequence: UInt64, usesSnapshots: Bool) throws -> RecordedState<Model.State>
    /// The snapshots that can be read, the oldest first, and the names of the others.
    func snapshots() throws -> (whole: [UInt64], damaged: [String])
    /// The state of a snapshot; nil if the model does not read snapshots.
    func state(ofSnapshot sequence: UInt64) throws -> Model.State?
}

/// Recorded actions, one at each call; nil if there are no more at present.
struct RecordedActions<Action> {
    let next: () throws -> RecordedAction<Action>?
}

/// A state, and the last action that is in it.
typealias RecordedState<State> = (sequence: UInt64, state: State)

extension RecordedAccess {
    /// Applies the actions after a state, up to a sequence. Calls the closure after each action; if it returns false,
    /// the fold ends.
    func fold(
        from start: RecordedState<Model.State>,
        to last: UInt64 = .max,
        _ body: (RecordedAction<Model.Action>, Model.State) throws -> Bool = { _, _ in true }
    ) throws -> RecordedState<Model.State> {
        var point = start
        guard point.sequence < last else { return point }
        let source = try actions(from: point.sequence + 1)
        let reducer = Model.reducer
        while let entry = try source.next(), entry.head.sequence <= last {
            reducer.apply(entry.action, at: entry.head.time, to: &point.state)
            point.sequence = entry.head.sequence
            guard try body(entry, point.state) else { break }
        }
        return point
    }
}

extension JournalModel {
    /// Opens what a path names: a folder is a journal, a file is a recorded session.
    static func open(_ path: String) throws -> any RecordedAccess<Self> {
        SessionAccess<Self>.isSession(path) ? try SessionAccess<Self>(path) : try JournalAccess<Self>(path)
    }
}
