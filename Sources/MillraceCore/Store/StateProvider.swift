// SPDX-License-Identifier: Apache-2.0

/// A source of a state and its changes: a store, or a projection of a store.
///
/// ```swift
/// let titles: AnyStateProvider<String> = store.map { $0.title }
/// let subscription = titles.statePublisher.subscribe(UnfailableSubscriberType(onValue: { print($0) }))
/// ```
public protocol StateProvider<StateType> {
    /// The type of the state.
    associatedtype StateType

    /// The publisher that gives each subscriber the current state, then every following state.
    var statePublisher: UnfailablePublisherType<StateType> { get }
}

extension StateProvider {
    /// Returns a provider of a part of the state, or of a value made from the state.
    ///
    /// No value is stored: the closure runs once per state and subscriber. Duplicates are not removed: a subscriber
    /// receives a value for every state, even if the part did not change.
    @preconcurrency
    @inlinable
    public func map<NewStateType>(
        _ transform: @escaping @Sendable (StateType) -> NewStateType
    ) -> AnyStateProvider<NewStateType> {
        AnyStateProvider(statePublisher.map(transform))
    }

    /// Returns this provider type-erased.
    @inlinable
    public func eraseToAnyStateProvider() -> AnyStateProvider<StateType> {
        AnyStateProvider(self)
    }
}
