// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// How a middleware runs its effects.
///
/// ```swift
/// let options = EffectOptions(capacity: 10_000, onRefusal: { log.warning("no room for \($0)") })
/// let middleware = SimpleEffectMiddleware<AppAction, AppState>.onAction(options: options) { … }
/// ```
public struct EffectOptions: Sendable {
    /// How many effects may be under way, those that wait for their turn included. One more is refused: it never
    /// begins, and an effect it was a part of goes on as if it had ended. Default: any number.
    ///
    /// Never refused are effects that are over when they were started (`just`, `sequence`, `fireAndForget`, `toCancel`,
    /// and what is merged from those) without a token, and those that replace another.
    public var capacity: Int
    /// Told of each refused effect, on the thread that asked for it: the pipeline's as a rule.
    /// ``EffectFigures/refused`` counts them.
    public var onRefusal: (@Sendable (EffectLabel) -> Void)?
    /// By which `delay`, `debounce`, `throttle`, `timeout` and retries measure time. A test gives one that it moves by
    /// hand.
    public var clock: any Clock<Duration>
    /// The priority of the tasks of its effects where an effect does not name another one (`priority:` of `task` and
    /// `stream`); also of those that wait for `delay`, `debounce`, `throttle` and `timeout`. Nothing else decides it: not
    /// the priority of who dispatches, nor of the effect that was waited for.
    public var priority: TaskPriority
    /// Told of the beginning and the end of each effect that begins and is counted by ``EffectFigures``. Of those that
    /// were cancelled while they waited, skipped or refused only ``EffectFigures`` tell.
    public var observer: (any EffectObserver)?

    /// Options; what is not said is as it is by default.
    @preconcurrency
    public init(
        capacity: Int = .max,
        clock: any Clock<Duration> = ContinuousClock(),
        priority: TaskPriority = .medium,
        observer: (any EffectObserver)? = nil,
        onRefusal: (@Sendable (EffectLabel) -> Void)? = nil
    ) {
        self.capacity = capacity
        self.clock = clock
        self.priority = priority
        self.observer = observer
        self.onRefusal = onRefusal
    }
}
