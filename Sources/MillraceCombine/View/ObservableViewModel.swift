// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// A store as a view wants it: a state that is there to be read, and a notice before it changes.
///
/// ```swift
/// let store = ReduxStoreBase(initialState: AppState(), reducer: appReducer, engine: .main)
/// let model = store
///     .projection(action: AppAction.counter, state: { $0.count })
///     .asObservableViewModel(initialState: 0)
/// ```
///
/// **State.** `initialState` is what there is until the store tells its own, which a store with a current value does
/// before the initialiser returns. Which states follow `emitsValue` decides, by the last one told and the new one;
/// the first always comes, also with `.never`. `objectWillChange` fires before a change: who reads ``state`` in it sees
/// the old one. Subscribing does not fire it.
///
/// **Threads.** It changes where the store calls its subscribers, and takes no lock: for a view, use a store that does so
/// on the main queue (`StoreEngine.main`), and read there. With any other engine, the default included, a closure of the
/// main actor that listens (a `sink` in a view, say) is called on the wrong thread, where Swift stops the program.
/// OpenCombine's `$state` holds a lock of the subscription while it calls its subscriber, which must not wait there for
/// another thread that changes this model; ``statePublisher`` holds none.
///
/// **Life.** It keeps the store. When it goes, it no longer listens.
open class ObservableViewModel<ViewAction, ViewState>: StoreType, ObservableObject {
    /// The state that was told last.
    @Published public var state: ViewState
    /// The states of the store, for each subscriber without those that `emitsValue` leaves out; the current one first.
    public let statePublisher: UnfailablePublisherType<ViewState>

    private let handler: AnyActionHandler<ViewAction>
    private var binding: AnyCancellable?

    /// A view model of a store.
    ///
    /// - Parameters:
    ///   - initialState: The state until the store tells one.
    ///   - store: Is kept.
    ///   - emitsValue: Which changes are told.
    public init<Store: StoreType>(initialState: ViewState, store: Store, emitsValue: ShouldEmitValue<ViewState>)
    where Store.ActionType == ViewAction, Store.StateType == ViewState {
        state = initialState
        handler = store.eraseToAnyActionHandler()
        statePublisher = store.statePublisher
            .removeDuplicates(by: emitsValue.shouldRemove(previous:new:))
            .asPublisherType()
        let model = WeakModel(self)
        let subscription = statePublisher.subscribe(
            UnfailableSubscriberType(onValue: { model.value?.state = $0 })
        )
        binding = AnyCancellable { subscription.unsubscribe() }
    }

    /// A view model of a store, told of states that differ.
    public convenience init<Store: StoreType>(initialState: ViewState, store: Store)
    where Store.ActionType == ViewAction, Store.StateType == ViewState, ViewState: Equatable {
        self.init(initialState: initialState, store: store, emitsValue: .whenDifferent)
    }

    /// Gives an action and its source to the store.
    open func dispatch(_ dispatchedAction: DispatchedAction<ViewAction>) {
        handler.dispatch(dispatchedAction)
    }

    private final class WeakModel: @unchecked Sendable {
        // Unchecked because a weak reference may be read from any thread, and this one is never set again.
        private(set) weak var value: ObservableViewModel?

        init(_ value: ObservableViewModel) {
            self.value = value
        }
    }
}

// Not `sending`, unlike those of every handler: a view dispatches what it shows, as one of SwiftRex's does.
extension ObservableViewModel {
    /// Dispatches an action; its source is this call.
    public func dispatch(
        _ action: ViewAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is known as `String`s.
    @_disfavoredOverload
    public func dispatch(
        _ action: ViewAction,
        file: String = #fileID,
        function: String = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action whose source is known.
    public func dispatch(_ action: ViewAction, from dispatcher: ActionSource) {
        dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }
}

extension StoreType {
    /// A view model of this store.
    public func asObservableViewModel(
        initialState: StateType,
        emitsValue: ShouldEmitValue<StateType>
    ) -> ObservableViewModel<ActionType, StateType> {
        ObservableViewModel(initialState: initialState, store: self, emitsValue: emitsValue)
    }

    /// A view model of this store, told of states that differ.
    public func asObservableViewModel(
        initialState: StateType
    ) -> ObservableViewModel<ActionType, StateType> where StateType: Equatable {
        ObservableViewModel(initialState: initialState, store: self)
    }
}
