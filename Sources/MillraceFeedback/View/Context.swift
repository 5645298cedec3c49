// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    public import SwiftUI
#endif

/// The input from which a view is rendered: the members of one state, and functions to change the state.
///
/// ```swift
/// let widget = TerminalWidget(viewModel: model) { context in
///     "\(context.count) \(context.isLoading ? "…" : "")"
/// }
/// ```
///
/// A context is a snapshot: it does not change when the view model changes. Any thread may use it.
@dynamicMemberLookup
public struct Context<State: Sendable, Event: Sendable>: Sendable {
    private let state: State
    private let viewModel: ViewModel<State, Event>

    /// Creates the context of one state.
    public init(state: State, viewModel: ViewModel<State, Event>) {
        self.state = state
        self.viewModel = viewModel
    }

    /// Returns a member of the state.
    public subscript<Member>(dynamicMember member: KeyPath<State, Member>) -> Member {
        state[keyPath: member]
    }

    /// Sends an event to the view model.
    public func send(event: Event) {
        viewModel.send(event: event)
    }

    /// Returns a closure that sends an event, for a button.
    public func action(for event: Event) -> @Sendable () -> Void {
        { [viewModel] in viewModel.send(event: event) }
    }

    /// Returns a binding that reads a member of this state, and sends an event for each new value.
    ///
    /// ```swift
    /// TextField("Name", text: context.binding(for: \.name, event: { .typed($0) }))
    /// ```
    public func binding<Member: Sendable>(
        for member: any KeyPath<State, Member> & Sendable,
        event: @escaping @Sendable (Member) -> Event
    ) -> Binding<Member> {
        Binding(get: { [state] in state[keyPath: member] }, set: { [viewModel] in viewModel.send(event: event($0)) })
    }

    /// Returns a binding that reads a member of this state, and sends the same event whatever the new value is.
    public func binding<Member: Sendable>(
        for member: any KeyPath<State, Member> & Sendable,
        event: Event
    ) -> Binding<Member> {
        binding(for: member, event: { _ in event })
    }

    /// Returns a binding that reads a member of this state, and changes it in the view model without the reducer.
    public func binding<Member: Sendable>(for member: any WritableKeyPath<State, Member> & Sendable) -> Binding<Member>
    {
        Binding(
            get: { [state] in state[keyPath: member] },
            set: { [viewModel] in viewModel.mutate(keyPath: member, value: $0) }
        )
    }
}
