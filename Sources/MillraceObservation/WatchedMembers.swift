// SPDX-License-Identifier: Apache-2.0

/// The members of a state that were read since they last changed, by key path.
///
/// A member that changes is removed: an observer reads it again anyway, to see the new value and to be notified again.
/// So a member that is no longer observed costs nothing once it has changed. Members that never change are removed when
/// there are too many.
@MainActor
struct WatchedMembers<State> {
    private struct Watch {
        let signal: ObservationSignal
        let isUnchanged: (State, State) -> Bool
    }

    /// The most members that are compared one by one.
    static var limit: Int { 128 }

    private var watches: [PartialKeyPath<State>: Watch] = [:]
    /// The signal for observers of members beyond the limit. They are notified of the next state, whatever changes.
    private var others: ObservationSignal?

    /// The number of members that are compared in each new state.
    var count: Int { watches.count }

    /// Makes the observer that is tracking reads now depend on a member.
    mutating func access<Member>(_ member: KeyPath<State, Member>) {
        if let watch = watches[member] {
            watch.signal.access()
        } else if watches.count < Self.limit {
            let signal = ObservationSignal()
            watches[member] = Watch(signal: signal, isUnchanged: Self.comparison(of: member))
            signal.access()
        } else {
            let signal = others ?? ObservationSignal()
            others = signal
            signal.access()
        }
    }

    /// Removes the members that differ between two states, and returns their signals. If a member beyond the limit was
    /// read, removes and returns all: observers read again the members that they still need.
    mutating func takeChanged(from old: State, to new: State) -> [ObservationSignal] {
        if let others {
            defer { self = WatchedMembers() }
            return watches.values.map(\.signal) + [others]
        }
        let changed = watches.filter { !$0.value.isUnchanged(old, new) }
        for member in changed.keys { watches[member] = nil }
        return changed.values.map(\.signal)
    }

    private static func comparison<Member>(of member: KeyPath<State, Member>) -> (State, State) -> Bool {
        func comparison<Value: Equatable>(_: Value.Type) -> (State, State) -> Bool {
            guard let member = member as? KeyPath<State, Value> else { return { _, _ in false } }
            return { $0[keyPath: member] == $1[keyPath: member] }
        }
        // Checked at run time, not by overloads: generic code, such as a binding, does not know that its member is
        // Equatable.
        guard let type = Member.self as? any Equatable.Type else { return { _, _ in false } }
        return comparison(type)
    }
}
