// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
    import Millrace
    public import SwiftUI

    extension ObservableStore {
        /// Returns a binding that reads a member of the state, and dispatches an action when a control sets a value.
        ///
        /// ```swift
        /// TextField("Name", text: model.binding(\.name, send: { .renamed($0) }))
        /// ```
        ///
        /// The member has its new value when the action has been reduced and the new state has reached the model. With
        /// the engine `.main` that is the case as soon as the control has set the value.
        ///
        /// This method is for Apple's platforms. Continuous integration does not run there, so it has not been tested.
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
