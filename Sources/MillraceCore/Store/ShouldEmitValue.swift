// SPDX-License-Identifier: Apache-2.0

/// The rule that decides whether subscribers are called with a new state.
///
/// ```swift
/// let policy: ShouldEmitValue<AppState> = .when { previous, new in previous.user != new.user }
/// ```
///
/// It decides only about notification; the state always is what the reducers made it.
public enum ShouldEmitValue<StateType>: Sendable {
    /// Every state, even if it equals the previous one.
    case always
    /// No state.
    case never
    /// A state for which the closure returns true. Its arguments are the previously published state and the new state.
    @preconcurrency case when(@Sendable (StateType, StateType) -> Bool)

    /// Whether subscribers are called with `new`.
    @inlinable
    public func shouldEmit(previous: StateType, new: StateType) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .when(let predicate): predicate(previous, new)
        }
    }

    /// The opposite of ``shouldEmit(previous:new:)``, for operators that remove duplicates.
    @inlinable
    public func shouldRemove(previous: StateType, new: StateType) -> Bool {
        !shouldEmit(previous: previous, new: new)
    }
}

extension ShouldEmitValue where StateType: Equatable {
    /// A state that differs from the previously published state.
    @inlinable
    public static var whenDifferent: ShouldEmitValue<StateType> {
        // `!=` captures only the conformance, which does not change.
        when(Unchecked(!=))
    }
}

extension ShouldEmitValue {
    @inlinable
    static func when(_ predicate: Unchecked<(StateType, StateType) -> Bool>) -> ShouldEmitValue {
        .when { predicate.value($0, $1) }
    }
}
