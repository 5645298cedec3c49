// SPDX-License-Identifier: Apache-2.0

/// Observes effects from start to end, for example to measure them or to draw them next to the actions.
///
/// ```swift
/// final class Spans: EffectObserver {
///     func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) { … }
///     func effectEnded(_ run: UInt64, wasCancelled: Bool) { … }
/// }
/// ```
///
/// **Threads and order.** The functions are called on any thread, several at once. Each run has one call at its
/// beginning and then one call at its end. An effect that never began has no call. The time of a call delays the code
/// that starts or ends the effect.
///
/// **Cost.** Without an observer: one test for nil per effect, and in a store one load, because an instrumentation
/// might measure effects.
public protocol EffectObserver: Sendable {
    /// Called when an effect begins.
    ///
    /// - Parameters:
    ///   - run: A number that no other run in this process has.
    ///   - name: The name of the effect, or else its token as text. The text is built only when it is read.
    ///   - cause: The action that the effect answers.
    func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause)

    /// Called when the same run has ended, by itself or because it was cancelled.
    func effectEnded(_ run: UInt64, wasCancelled: Bool)
}
