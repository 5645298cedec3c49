// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

#if canImport(Combine)
    public import Combine
#else
    @preconcurrency public import OpenCombine
#endif

/// A view model of a store: a state that a view can read, and a notification before the state changes.
///
/// ```swift
/// let store = ReduxStoreBase(initialState: AppState(), reducer: appReducer, engine: .main)
/// let model = store
///     .projection(action: AppAction.counter, state: { $0.count })
///     .asObservableViewModel(initialState: 0)
/// ```
///
/// **State.** `initialState` is used until the store publishes a state. A store with a current value does so before the
/// initialiser returns. `emitsValue` decides which later states are passed on: it compares the last state that was
/// passed on with the new one. The first state is always passed on, even with `.never`. `objectWillChange` fires before
/// a change: code that then reads ``state`` sees the old state. Subscribing does not make it fire.
///
/// **Threads.** The model changes on the thread on which the store calls its subscribers, and takes no lock. For a
/// view, use a store that calls them on the main queue (`StoreEngine.main`), and read the model there. With any other
/// engine, also the default one, closures of the main actor (such as a `sink` in a view) are called on the wrong
/// thread, and Swift stops the program. OpenCombine's `$state` holds a lock of the subscription while it calls its
/// subscriber. There the subscriber must not wait for another thread that changes this model. ``statePublisher`` holds
/// no lock.
///
/// **Lifetime.** The model keeps the store. When the model is released, its subscription ends.
open class ObservableViewModel<ViewAction, ViewState>: StoreType, ObservableObject {
    /// The last state that was passed on.
    @Published public var state: ViewState
    /// The states of the store, the current one first. Each subscriber gets those that `emitsValue` lets pass.
    public let statePublisher: UnfailablePublisherType<ViewState>

    private let handler: AnyActionHandler<ViewAction>
    private var binding: AnyCancellable?

    /// Creates a view model of a store.
    ///
    /// - Parameters:
    ///   - initialState: The state until the store publishes one.
    ///   - store: The store, which the view model keeps.
    ///   - emitsValue: The rule that decides which states are passed on.
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

    /// Creates a view model of a store. It passes on only states that differ from the previous one.
    public convenience init<Store: StoreType>(initialState: ViewState, store: Store)
    where Store.ActionType == ViewAction, Store.StateType == ViewState, ViewState: Equatable {
        self.init(initialState: initialState, store: store, emitsValue: .whenDifferent)
    }

    /// Dispatches an action with its source to the store.
    @_disfavoredOverload
    open func dispatch(_ dispatchedAction: DispatchedAction<ViewAction>) {
        handler.dispatch(dispatchedAction)
    }

    private final class WeakModel: @unchecked Sendable {
        // Unchecked because any thread may read a weak reference, and this one is never set again.
        private(set) weak var value: ObservableViewModel?

        init(_ value: ObservableViewModel) {
            self.value = value
        }
    }
}

// These do not take the action as `sending`, unlike those of action handlers: as in SwiftRex, a view may dispatch
// values that it shows.
extension ObservableViewModel {
    /// Dispatches an action. The action's source is this call.
    public func dispatch(
        _ action: ViewAction,
        file: StaticString = #fileID,
        function: StaticString = #function,
        line: UInt = #line,
        info: String? = nil
    ) {
        dispatch(DispatchedAction(action, file: file, function: function, line: line, info: info))
    }

    /// Dispatches an action. The action's source is given as `String`s.
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

    /// Dispatches an action with a given source.
    public func dispatch(_ action: ViewAction, from dispatcher: ActionSource) {
        dispatch(DispatchedAction(action, dispatcher: dispatcher))
    }
}

extension StoreType {
    /// Returns a view model of this store.
    public func asObservableViewModel(
        initialState: StateType,
        emitsValue: ShouldEmitValue<StateType>
    ) -> ObservableViewModel<ActionType, StateType> {
        ObservableViewModel(initialState: initialState, store: self, emitsValue: emitsValue)
    }

    /// Returns a view model of this store. It passes on only states that differ from the previous one.
    public func asObservableViewModel(
        initialState: StateType
    ) -> ObservableViewModel<ActionType, StateType> where StateType: Equatable {
        ObservableViewModel(initialState: initialState, store: self)
    }
}
