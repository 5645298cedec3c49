// SPDX-License-Identifier: Apache-2.0

public import Millrace
public import Observation

/// A view model of a store: the state on the main actor, for observers that are notified only of the members they read.
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
/// **Granularity.** An observer that reads a member of the state through the model depends on that member alone. When a
/// new state comes, the observer is notified if the member is not equal (`==`) to its previous value. Observers of a
/// member that is not Equatable are notified of every state. Observers of ``state`` depend on the whole state.
/// ``select(_:)`` and ``derived(from:by:compute:)`` return other parts and computed values. As always in Observation,
/// observers are notified before the change, so reading the model in `onChange` returns the old value.
///
/// **Delivery.** States arrive on the thread on which the store calls its subscribers. A state that arrives on the main
/// queue (from the engine `.main`, or from `.caller` used there) is in the model when the dispatch returns. All other
/// states are handed to the main actor, and only the latest counts: if a store publishes a thousand states while the
/// main queue is busy, the model changes once. An older state never comes after a newer one.
///
/// **Cost.** For each new state the model compares the members that were read since they last changed, at most 128, and
/// the selections that are alive. If more members are read, all observers are notified at the next state. From then on,
/// the model compares the members that they read again.
///
/// **Lifetime.** The model keeps the store alive. Its subscription does not keep the model alive: when the model is
/// released, the subscription ends, and observers are no longer notified, not even of states already handed over. The
/// program must run the main queue, as a program with an `async` main does.
///
/// `ViewState` should be a value type: changes inside an object that is changed in place cannot be detected.
@MainActor
@dynamicMemberLookup
public final class ObservableStore<ViewAction, ViewState>: Observable {
    nonisolated let store: AnyStoreType<ViewAction, ViewState>
    private let inbox = StateInbox<ViewState>()
    private var current: ViewState
    /// The next state, while observers are being notified of it.
    private var upcoming: ViewState?
    private(set) var members = WatchedMembers<ViewState>()
    let followers = Followers<ViewState>()
    // Unsafe because `deinit` reads it on the thread that releases the model; it is set once, in `init`.
    nonisolated(unsafe) private var subscription: (any SubscriptionType)?

    /// Creates a view model of any store, or of a projection.
    ///
    /// - Parameters:
    ///   - initialState: The state of the model until the store's first state arrives. A store on the main queue
    ///     delivers it before this initialiser returns.
    ///   - store: The store, which gets the actions and publishes the states. The model keeps it alive.
    public init<Store: StoreType>(
        initialState: ViewState,
        store: Store
    ) where Store.ActionType == ViewAction, Store.StateType == ViewState {
        self.store = AnyStoreType(store)
        current = initialState
        // The weak reference is used on the main actor only, so that no other thread can hold the last reference.
        let deliver: @MainActor @Sendable () -> Void = { [weak self] in self?.deliver() }
        let inbox = inbox
        subscription = store.statePublisher.subscribe(
            UnfailableSubscriberType(onValue: { state in inbox.put(state, deliver) })
        )
    }

    /// Creates a view model of a store, which starts with the store's current state.
    public convenience init(store: ReduxStoreBase<ViewAction, ViewState>) where ViewState: Sendable {
        self.init(initialState: store.state, store: store)
    }

    deinit {
        subscription?.unsubscribe()
    }

    /// The whole state. An observer of this read is notified of every new state; if the state is Equatable, only of a
    /// different one.
    public var state: ViewState { self[dynamicMember: \.self] }

    /// Returns a member of the state. An observer of this read is notified when that member changes.
    ///
    /// The model also reads the member from later states. A key path of your own must therefore be valid in all of
    /// them: do not use an index that may be out of range. If a member has the same name as a member of this class,
    /// read it as `model[dynamicMember: \.name]`.
    public subscript<Member>(dynamicMember member: KeyPath<ViewState, Member>) -> Member {
        members.access(member)
        return current[keyPath: member]
    }

    /// Adds a derivation of the state, and returns a selection that keeps it alive.
    func follow<Input, Value>(
        _ select: @escaping (ViewState) -> Input,
        _ isDuplicate: @escaping (Input, Input) -> Bool,
        _ compute: @escaping (Input) -> Value
    ) -> ObservableSelection<Value> {
        let derivation = Derivation(
            // A derivation created while observers are notified starts with the next state, of which it is not notified.
            from: upcoming ?? current,
            select: select,
            isDuplicate: isDuplicate,
            compute: compute
        )
        followers.append(derivation)
        return ObservableSelection { withExtendedLifetime(self) { derivation.value } }
    }

    /// Applies the states that have arrived. A state that arrives while observers are notified is applied after the one
    /// that they are notified of.
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
