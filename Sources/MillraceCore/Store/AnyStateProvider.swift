// SPDX-License-Identifier: Apache-2.0

/// A ``StateProvider`` with its type hidden. It keeps a publisher and nothing else: no state, and not the store.
public struct AnyStateProvider<StateType>: StateProvider, Sendable {
    /// The publisher it was made of.
    public let statePublisher: UnfailablePublisherType<StateType>

    /// Hides the type of a provider.
    @inlinable
    public init<Provider: StateProvider>(_ realProvider: Provider) where Provider.StateType == StateType {
        self.init(realProvider.statePublisher)
    }

    /// A provider made of a publisher.
    @inlinable
    public init(_ publisher: UnfailablePublisherType<StateType>) {
        statePublisher = publisher
    }
}
