// SPDX-License-Identifier: Apache-2.0

/// A closure that is run for its side effect: it has no values of its own, and completes.
///
/// ```swift
/// Effect<World, AppAction>.fireAndForget { context in context.dependencies.analytics.track("opened") }
/// ```
///
/// `context.toCancel(token)` in an ``Effect`` returns such a value. With `MillraceCombine` it is also a publisher:
/// `IgnoringOutput` is then the type of the values that it can be merged with.
public struct FireAndForget<IgnoringOutput>: Sendable {
    @usableFromInline package let start: @Sendable (EffectSink<IgnoringOutput>) -> Void

    package init(start: @escaping @Sendable (EffectSink<IgnoringOutput>) -> Void) {
        self.start = start
    }

    /// Creates a value that calls a closure when it is started, on the thread that starts it.
    @preconcurrency
    public init(_ operation: @escaping @Sendable () -> Void) {
        start = { sink in
            operation()
            sink.complete()
        }
    }

    /// Returns this value with another output type, to be merged with other values. The values that it sends, if any,
    /// are dropped.
    func retyped<NewOutput>(_: NewOutput.Type = NewOutput.self) -> FireAndForget<NewOutput> {
        FireAndForget<NewOutput> { [start] sink in start(sink.ignoring()) }
    }
}
