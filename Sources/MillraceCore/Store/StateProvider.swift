// SPDX-License-Identifier: Apache-2.0

/// Anything that tells of a state and its changes: a store, a projection of it.
///
/// ```swift
/// let titles: AnyStateProvider<String> = store.map { $0.title }
/// let subscription = titles.statePublisher.subscribe(UnfailableSubscriberType(onValue: { print($0) }))
/// ```
public protocol StateProvider<StateType> {
    /// What it tells.
    associatedtype StateType

    /// Gives each subscriber the current state, then every state that follows.
    var statePublisher: UnfailablePublisherType<StateType> { get }
}

extension StateProvider {
    /// A part of the state, or something made from it.
    ///
    /// Nothing is kept: the closure runs once for each state and subscriber. Duplicates are not removed: a subscriber
    /// is told of every state, also when the part is the same as before.
    @preconcurrency
    @inlinable
    public func map<NewStateType>(
        _ transform: @escaping @Sendable (StateType) -> NewStateType
    ) -> AnyStateProvider<NewStateType> {
        AnyStateProvider(statePublisher.map(transform))
    }

    /// The same with its type hidden.
    @inlinable
    public func eraseToAnyStateProvider() -> AnyStateProvider<StateType> {
        AnyStateProvider(self)
    }
}
