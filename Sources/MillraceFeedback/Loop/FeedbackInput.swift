// SPDX-License-Identifier: Apache-2.0

/// The actions of the store that runs a feedback loop: they wait in its queue.
public enum FeedbackInput<State, Event>: Sendable where State: Sendable, Event: Sendable {
    /// An event, which the reducer handles.
    case event(Event)
    /// A change that the reducer does not handle: see ``ViewModel/mutate(keyPath:value:)``.
    case mutation(@Sendable (inout State) -> Void)
}
