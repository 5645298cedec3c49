// SPDX-License-Identifier: Apache-2.0

/// When observers are told of a new state.
///
/// ```swift
/// let policy: ShouldEmitValue<AppState> = .when { previous, new in previous.user != new.user }
/// ```
///
/// It decides notification only: whatever it says, the state is what the reducers made it.
public enum ShouldEmitValue<StateType>: Sendable {
    /// Every state, also one that equals the last.
    case always
    /// No state.
    case never
    /// When the closure says so, given the state published before and the new one.
    @preconcurrency case when(@Sendable (StateType, StateType) -> Bool)

    /// Whether observers are to be told of `new`.
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
    /// When the new state differs from the one published before.
    @inlinable
    public static var whenDifferent: ShouldEmitValue<StateType> {
        // `!=` holds nothing but the conformance, which does not change.
        when(Unchecked(!=))
    }
}

extension ShouldEmitValue {
    @inlinable
    static func when(_ predicate: Unchecked<(StateType, StateType) -> Bool>) -> ShouldEmitValue {
        .when { predicate.value($0, $1) }
    }
}
