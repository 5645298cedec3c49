// SPDX-License-Identifier: Apache-2.0

/// Watches effects from start to end: what it is told lets it measure them, or draw them next to the actions.
///
/// ```swift
/// final class Spans: EffectObserver {
///     func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause) { … }
///     func effectEnded(_ run: UInt64, wasCancelled: Bool) { … }
/// }
/// ```
///
/// **Threads and order.** Any thread, several at once; of one run first the beginning, then the end, each once. An
/// effect that never began is not told of. What a call takes is taken from whoever starts or ends the effect.
///
/// **Cost.** Where there is none, one test for nil an effect, and in a store a load: an instrumentation might measure.
public protocol EffectObserver: Sendable {
    /// An effect begins.
    ///
    /// - Parameters:
    ///   - run: A number that no other run in this process has.
    ///   - name: Its name, or else its token as text. It is made only when it is read.
    ///   - cause: The action that it answers.
    func effectBegan(_ run: UInt64, name: @autoclosure () -> String, cause: ActionCause)

    /// The same run has ended: by itself, or because it was cancelled.
    func effectEnded(_ run: UInt64, wasCancelled: Bool)
}
