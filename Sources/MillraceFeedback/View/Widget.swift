// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import MillraceObservation
    public import SwiftUI

    /// A view that is rendered from each state of a view model: the current one first.
    ///
    /// ```swift
    /// Widget(viewModel: model) { context in
    ///     Button("\(context.count)", action: context.action(for: .increment))
    /// }
    /// ```
    ///
    /// This type is for Apple's platforms. Continuous integration does not run there, so it has not been tested;
    /// ``TerminalWidget``, which is built in the same way, has been tested.
    public struct Widget<State: Sendable, Event: Sendable, Content: View>: View {
        private let viewModel: ViewModel<State, Event>
        private let render: (Context<State, Event>) -> Content
        @SwiftUI.State private var observable: ObservableStore<Event, State>

        /// Creates a view of a view model.
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
