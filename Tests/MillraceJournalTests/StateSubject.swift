// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// Which subject has the state of a store in a test.
enum StateSubject: Sendable {
    /// The store keeps the state itself.
    case none
    case native
    /// One that cannot change a value in place, as those of other libraries.
    case foreign

    func make<State>(_ initialState: State) -> UnfailableReplayLastSubjectType<State>? {
        let native = UnfailableReplayLastSubjectType.native(initialValue: initialState)
        return switch self {
        case .none: nil
        case .native: native
        case .foreign:
            UnfailableReplayLastSubjectType(
                publisher: native.publisher,
                subscriber: native.subscriber,
                value: native.value
            )
        }
    }
}
