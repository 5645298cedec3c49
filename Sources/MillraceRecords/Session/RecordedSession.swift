// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A state, and the actions that followed: enough to run the reducers again.
///
/// ```swift
/// let session = try SessionFile.read("bug.mrs", actions: actionCodec, states: stateCodec)
/// let state = try session.replay(appReducer)
/// ```
public struct RecordedSession<State, Action> {
    /// The state before the first action.
    public var initialState: State
    /// The actions in the order in which they were reduced.
    public var actions: [RecordedAction<Action>]
    /// The canonical hash of the state after the last action; nil if the recording was not finished, or has no hash.
    public var finalHash: CanonicalHash?
    /// Whether the session has all actions of the recording. False after a crash, and if actions of unknown kinds were
    /// left out.
    public var isComplete: Bool
    /// How many actions of unknown kinds the reader left out, as ``UnknownKinds`` told it.
    public internal(set) var leftOut: UInt64 = 0

    /// Creates a session.
    public init(
        initialState: State,
        actions: [RecordedAction<Action>],
        finalHash: CanonicalHash? = nil,
        isComplete: Bool = true
    ) {
        self.initialState = initialState
        self.actions = actions
        self.finalHash = finalHash
        self.isComplete = isComplete
    }

    /// Runs the reducer on the recorded actions, each at its recorded time, and returns the last state.
    ///
    /// Middlewares do not run. Reducers made by `reduceAt` get the time of the recording.
    /// - Throws: ``ReplayError`` if the last state differs from that of the recording, or has no canonical hash. If the
    ///   session is not complete, or has no final hash, nothing is compared.
    public func replay(_ reducer: Reducer<Action, State>) throws(ReplayError) -> State {
        let state = self.state(after: actions.count, reducer)
        guard isComplete, let finalHash else { return state }
        let found: CanonicalHash
        do {
            found = try CanonicalHash(of: state)
        } catch {
            throw .notHashable(error)
        }
        guard found == finalHash else {
            throw .otherState(recorded: finalHash, replayed: found, actions: actions.count)
        }
        return state
    }

    /// Returns the state after the first `count` of the actions: 0 is the initial state.
    public func state(after count: Int, _ reducer: Reducer<Action, State>) -> State {
        var state = initialState
        for recorded in actions.prefix(max(0, count)) {
            reducer.apply(recorded.action, at: recorded.head.time, to: &state)
        }
        return state
    }
}

extension RecordedSession: Sendable where State: Sendable, Action: Sendable {}
extension RecordedSession: Equatable where State: Equatable, Action: Equatable {}
