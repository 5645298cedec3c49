// SPDX-License-Identifier: Apache-2.0

import MillraceCore

/// A part of an effect that is replaced by the next one: the one before is cancelled first.
package final class LatestPart<OutputAction>: Sendable {
    package typealias Whole = Effect<Void, OutputAction>

    private let context: Unchecked<Whole.Context>
    private let sink: Whole.Sink
    private let current = Locked<EffectTask?>(nil)

    package init(_ context: Whole.Context, _ sink: Whole.Sink) {
        self.context = Unchecked(context)  // There are no dependencies.
        self.sink = sink
        // One handler for all parts.
        sink.onCancel { self.cancelCurrent() }
    }

    private func cancelCurrent() { current.withLock { $0.take() }?.cancel() }

    /// Cancels the part before, then begins this one. One thread at a time.
    package func replace(by part: Whole) {
        cancelCurrent()
        guard !sink.isCancelled, part.doesSomething else { return }
        let alone = part.with(part.tag?.name.map { EffectTag(nil, .replace, $0) })
        let beginning = EffectBeginning()
        var part: EffectTask?
        // Before its body runs, which may run for long, or send the value that replaces it.
        let remember = { (effectTask: EffectTask) in
            part = effectTask
            self.current.withLock { $0 = effectTask }
            // The whole may have been cancelled before the part could be found.
            if self.sink.isCancelled { effectTask.cancel() }
        }
        let started = sink.start(
            part: alone,
            context.value,
            isRevokedAlone: true,
            isEndedByOwner: true,
            willStart: remember
        ) { beginning.effectEnded() }
        guard started == nil || beginning.isOver else { return }
        current.withLock { if $0 === part { $0 = nil } }
    }
}

extension Effect where Dependencies == Void {
    /// Returns an effect that reads a sequence in a task, and for each value replaces one effect by another.
    package static func latest<Values: AsyncSequence & SendableMetatype>(
        of values: @escaping @Sendable () -> Values,
        _ effects: @escaping @Sendable (Values.Element) -> Effect
    ) -> Effect where Values.Failure == Never {
        Effect(EffectTraits()) { context, sink in
            let part = LatestPart(context, sink)
            sink.inTask {
                for await value in values() {
                    if sink.isCancelled { return }
                    part.replace(by: effects(value))
                }
            }
        }
    }
}
