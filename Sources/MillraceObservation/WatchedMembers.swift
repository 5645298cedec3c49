// SPDX-License-Identifier: Apache-2.0

/// The members of a state that were read since they changed last, by key path.
///
/// A member that changes is forgotten: who still wants it has to read it again, to see it and to be told again. So what
/// nobody looks at any more costs nothing once it has changed; what never changes is cleared away when there are too
/// many.
@MainActor
struct WatchedMembers<State> {
    private struct Watch {
        let signal: ObservationSignal
        let isUnchanged: (State, State) -> Bool
    }

    /// More are not watched one by one.
    static var limit: Int { 128 }

    private var watches: [PartialKeyPath<State>: Watch] = [:]
    /// For those who read a member beyond the limit: told of the next state, whatever changes.
    private var others: ObservationSignal?

    /// How many members each state is compared for.
    var count: Int { watches.count }

    /// Makes whoever tracks what is read now depend on a member.
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

    /// Forgets the members that differ between two states, and returns whom to tell. All of them after a member beyond
    /// the limit was read: those that somebody still looks at are read again, the others were in the way.
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
        // Asked here and not by overloads: generic code, such as a binding's, does not know that its member is Equatable.
        guard let type = Member.self as? any Equatable.Type else { return { _, _ in false } }
        return comparison(type)
    }
}
