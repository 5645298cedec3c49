// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import Millrace
    public import SwiftUI

    extension ObservableStore {
        /// A member of the state to read, and an action to dispatch for what a control wants to set.
        ///
        /// ```swift
        /// TextField("Name", text: model.binding(\.name, send: { .renamed($0) }))
        /// ```
        ///
        /// The member has its new value when the action has been reduced and its state has come: with
        /// the engine `.main` when the control has set it.
        ///
        /// For Apple's platforms, which continuous integration does not run: this has not been tested.
        public func binding<Member: Sendable>(
            _ member: any KeyPath<ViewState, Member> & Sendable,
            send action: @escaping @Sendable (Member) -> ViewAction
        ) -> Binding<Member> {
            Binding(
                get: { @MainActor in self[dynamicMember: member] },
                set: { self.dispatch(action($0)) }
            )
        }
    }
#endif
