// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import MillraceObservation
    public import SwiftUI

    /// A SwiftUI view of a view model. It calls `render` with the current state, and again when the state has changed.
    ///
    /// ```swift
    /// Widget(viewModel: model) { context in
    ///     Button("\(context.count)", action: context.action(for: .increment))
    /// }
    /// ```
    ///
    /// If states come faster than the main queue runs, the view skips some of them, but never the last one. `render` is
    /// called on the main actor.
    ///
    /// This type is for Apple's platforms. Continuous integration does not run there, so no test has run it. The tests
    /// run ``TerminalWidget``, which is built in the same way.
    public struct Widget<State: Sendable, Event: Sendable, Content: View>: View {
        private let viewModel: ViewModel<State, Event>
        private let render: (Context<State, Event>) -> Content
        @SwiftUI.State private var observable: ObservableStore<Event, State>

        /// Creates a view that keeps the view model, and gets its states through an `ObservableStore`.
        @MainActor
        public init(
            viewModel: ViewModel<State, Event>,
            @ViewBuilder render: @escaping (Context<State, Event>) -> Content
        ) {
            self.viewModel = viewModel
            self.render = render
            _observable = SwiftUI.State(
                initialValue: viewModel.asObservableStore(initialState: viewModel.currentState)
            )
        }

        /// What `render` returns for the current state.
        public var body: some View {
            render(Context(state: observable.state, viewModel: viewModel))
        }
    }
#endif
