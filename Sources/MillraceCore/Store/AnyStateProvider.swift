// SPDX-License-Identifier: Apache-2.0

/// A type-erased ``StateProvider``. It holds only a publisher: no state, and not the store.
public struct AnyStateProvider<StateType>: StateProvider, Sendable {
    /// The publisher from which this provider was created.
    public let statePublisher: UnfailablePublisherType<StateType>

    /// Erases the type of a provider.
    @inlinable
    public init<Provider: StateProvider>(_ realProvider: Provider) where Provider.StateType == StateType {
        self.init(realProvider.statePublisher)
    }

    /// Creates a provider from a publisher.
    @inlinable
    public init(_ publisher: UnfailablePublisherType<StateType>) {
        statePublisher = publisher
    }
}
