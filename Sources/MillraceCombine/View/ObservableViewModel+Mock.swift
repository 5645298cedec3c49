// SPDX-License-Identifier: Apache-2.0

#if DEBUG
    public import MillraceCore

    extension ObservableViewModel {
        /// Creates a view model with a store of its own, for previews and tests. A dispatch calls `action` and
        /// publishes the state before it returns, also if the state has not changed.
        @preconcurrency
        public static func mock(
            state: StateType,
            action: @escaping @Sendable (ActionType, ActionSource, inout StateType) -> Void = { _, _, _ in }
        ) -> ObservableViewModel {
            let subject = UnfailableReplayLastSubjectType<StateType>.native(initialValue: state)
            let store = AnyStoreType<ActionType, StateType>(
                action: { dispatched in
                    subject.mutate { state in action(dispatched.action, dispatched.dispatcher, &state) }
                },
                state: subject.publisher
            )
            return ObservableViewModel(initialState: state, store: store, emitsValue: .always)
        }
    }
#endif
