// SPDX-License-Identifier: Apache-2.0

/// Work that is done for its own sake: it has no values, and completes.
///
/// ```swift
/// Effect<World, AppAction>.fireAndForget { context in context.dependencies.analytics.track("opened") }
/// ```
///
/// `context.toCancel(token)` in an ``Effect`` is one. With `MillraceCombine` it is a publisher, too: `IgnoringOutput` is
/// then the type of the values it is to be merged with.
public struct FireAndForget<IgnoringOutput>: Sendable {
    @usableFromInline package let start: @Sendable (EffectSink<IgnoringOutput>) -> Void

    package init(start: @escaping @Sendable (EffectSink<IgnoringOutput>) -> Void) {
        self.start = start
    }

    /// Runs a closure when it is started, on the thread that starts it.
    @preconcurrency
    public init(_ operation: @escaping @Sendable () -> Void) {
        start = { sink in
            operation()
            sink.complete()
        }
    }

    /// The same, to be merged with other values; what it sends, if anything, goes nowhere.
    func retyped<NewOutput>(_: NewOutput.Type = NewOutput.self) -> FireAndForget<NewOutput> {
        FireAndForget<NewOutput> { [start] sink in start(sink.ignoring()) }
    }
}
