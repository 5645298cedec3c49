// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The options by which a middleware runs its effects.
///
/// ```swift
/// let options = EffectOptions(capacity: 10_000, onRefusal: { log.warning("no room for \($0)") })
/// let middleware = SimpleEffectMiddleware<AppAction, AppState>.onAction(options: options) { … }
/// ```
public struct EffectOptions: Sendable {
    /// The most effects that may be under way, the waiting ones included. Any further effect is refused: it never
    /// begins, and an effect that it was a part of goes on as if the part had ended. Default: no limit.
    ///
    /// Never refused are effects that replace another one, and effects without a token that are over when they were
    /// started (`just`, `sequence`, `fireAndForget`, `toCancel`, and merges of these).
    public var capacity: Int
    /// Called with the label of each refused effect, on the thread that asked for it, as a rule the pipeline's.
    /// ``EffectFigures/refused`` counts refused effects.
    public var onRefusal: (@Sendable (EffectLabel) -> Void)?
    /// The clock of `delay`, `debounce`, `throttle`, `timeout` and retries. A test can pass a clock that it moves by
    /// hand. If none was given, it is the system's `ContinuousClock`; in a simulated store, the clock of its world.
    public var clock: any Clock<Duration> {
        get { ownClock ?? ContinuousClock() }
        set { ownClock = newValue }
    }
    /// The clock that was given; nil: none was.
    var ownClock: (any Clock<Duration>)?
    /// The priority of the tasks of effects that name no other one (`priority:` of `task` and `stream`). It also
    /// applies to the tasks that wait for `delay`, `debounce`, `throttle` and `timeout`. The priority does not depend
    /// on the dispatching code, nor on an effect that was waited for.
    public var priority: TaskPriority
    /// An observer of the beginning and the end of each effect that begins and is counted by ``EffectFigures``. Only
    /// ``EffectFigures`` report effects that were skipped, refused, or cancelled while they waited.
    public var observer: (any EffectObserver)?

    /// Creates options; an argument that is left out has its default value.
    @preconcurrency
    public init(
        capacity: Int = .max,
        clock: (any Clock<Duration>)? = nil,
        priority: TaskPriority = .medium,
        observer: (any EffectObserver)? = nil,
        onRefusal: (@Sendable (EffectLabel) -> Void)? = nil
    ) {
        self.capacity = capacity
        ownClock = clock
        self.priority = priority
        self.observer = observer
        self.onRefusal = onRefusal
    }
}

extension EffectOptions: CustomStringConvertible {
    /// The options in one line: `capacity unbounded, clock ContinuousClock, priority medium, no observer`.
    public var description: String {
        let room = capacity == .max ? "unbounded" : String(capacity)
        let observer = observer.map { "observer \(type(of: $0))" } ?? "no observer"
        return """
            capacity \(room), clock \(type(of: clock)), priority \(priority.text), \(observer)\
            \(onRefusal == nil ? "" : ", calls onRefusal")
            """
    }
}

extension TaskPriority {
    /// The name of the priority; a number if it has none.
    fileprivate var text: String {
        switch self {
        case .high: "high"
        case .medium: "medium"
        case .low: "low"
        case .background: "background"
        default: String(rawValue)
        }
    }
}
