// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import Observation

/// A store as a view model: its state on the main actor, for observers that are told only of what they have read.
///
/// ```swift
/// let model = store.asObservableStore()
/// withObservationTracking {
///     label.text = "\(model.count)"       // depends on `count`, on nothing else
/// } onChange: {
///     Task { @MainActor in redraw() }
/// }
/// model.dispatch(.increment)
/// ```
///
/// **Granularity.** Reading a member of the state as a member of this depends on that member alone. When a new state
/// comes, its observers are told if it is not equal (`==`) to the one before; of a member that is not Equatable they are
/// told with every state. Reading ``state`` depends on the whole. ``select(_:)`` and ``derived(from:by:compute:)``
/// give parts that are no members, and values that are computed. As in all of Observation, observers are told before
/// the change, so that one reads the old value in `onChange`.
///
/// **Delivery.** States arrive on whichever thread the store tells them on. One that arrives on the main queue (of a store
/// with the engine `.main`, or of one with `.caller` that is used there) is there when the dispatch returns. All others
/// are handed to the main actor, where only the latest counts: a store that publishes a thousand states while the main
/// queue is busy changes this once. An older state never comes after a newer one.
///
/// **Cost.** A new state is compared for the members that were read since they changed last, 128 at most, and for the
/// selections that are alive. When more are read all observers are told once, and what they read again is watched anew.
///
/// **Life.** It keeps the store. Its subscription does not keep it: when it is released the subscription ends, and nothing
/// is told any more, not even what is on its way. The program has to serve the main queue, as one with an `async` main
/// does.
///
/// It is meant for a `ViewState` that is a value: in an object that is changed in place nobody can see a difference.
@MainActor
@dynamicMemberLookup
public final class ObservableStore<ViewAction, ViewState>: Observable {
    nonisolated let store: AnyStoreType<ViewAction, ViewState>
    private let inbox = StateInbox<ViewState>()
    private var current: ViewState
    /// While observers are told: the state that comes.
    private var upcoming: ViewState?
    private(set) var members = WatchedMembers<ViewState>()
    let followers = Followers<ViewState>()
    // Unsafe because whichever thread lets go of this reads it, in `deinit`; it is set once, in `init`.
    nonisolated(unsafe) private var subscription: (any SubscriptionType)?

    /// A view model of any store, or of a projection.
    ///
    /// - Parameters:
    ///   - initialState: What is seen until the store has told its state. A store on the main queue does so before this
    ///     returns.
    ///   - store: Is kept, takes the actions, and tells the states.
    public init<Store: StoreType>(
        initialState: ViewState,
        store: Store
    ) where Store.ActionType == ViewAction, Store.StateType == ViewState {
        self.store = AnyStoreType(store)
        current = initialState
        // Looked at on the main actor only, so that no other thread comes to hold the last reference.
        let deliver: @MainActor @Sendable () -> Void = { [weak self] in self?.deliver() }
        let inbox = inbox
        subscription = store.statePublisher.subscribe(
            UnfailableSubscriberType(onValue: { state in inbox.put(state, deliver) })
        )
    }

    /// A view model of a store, which starts with the state that the store has now.
    public convenience init(store: ReduxStoreBase<ViewAction, ViewState>) where ViewState: Sendable {
        self.init(initialState: store.state, store: store)
    }

    deinit {
        subscription?.unsubscribe()
    }

    /// The whole state. Whoever tracks this read is told of every new state; of an Equatable one if it differs.
    public var state: ViewState { self[dynamicMember: \.self] }

    /// A member of the state. Whoever tracks this read is told when that member changes.
    ///
    /// The member is read from later states, too: a key path of your own must hold in all of them, so no index that may
    /// be out of range. A member that has the name of one of this class is reached as `model[dynamicMember: \.name]`.
    public subscript<Member>(dynamicMember member: KeyPath<ViewState, Member>) -> Member {
        members.access(member)
        return current[keyPath: member]
    }

    /// Adds one who follows the state as long as somebody holds it.
    func follow<Input, Value>(
        _ select: @escaping (ViewState) -> Input,
        _ isDuplicate: @escaping (Input, Input) -> Bool,
        _ compute: @escaping (Input) -> Value
    ) -> ObservableSelection<Value> {
        let derivation = Derivation(
            // One that is made while observers are told is not told any more.
            from: upcoming ?? current,
            select: select,
            isDuplicate: isDuplicate,
            compute: compute
        )
        followers.append(derivation)
        return ObservableSelection { withExtendedLifetime(self) { derivation.value } }
    }

    /// Takes what has arrived. A state that arrives while observers are told comes after the one they are told of.
    private func deliver() {
        guard upcoming == nil else { return }
        while let state = inbox.take() { change(to: state) }
    }

    private func change(to new: ViewState) {
        upcoming = new
        let changed = followers.current().filter { $0.prepare(for: new) }
        let signals = members.takeChanged(from: current, to: new) + changed.map(\.signal)
        for signal in signals { signal.willSet() }
        current = new
        for follower in changed { follower.commit() }
        upcoming = nil
        for signal in signals { signal.didSet() }
    }
}
