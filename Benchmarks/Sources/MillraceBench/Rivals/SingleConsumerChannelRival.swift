// SPDX-License-Identifier: Apache-2.0

import AsyncAlgorithms
import CBenchCrew
import Millrace

/// `MultiProducerSingleConsumerAsyncChannel`: a task for each producer, which has a source of its own and awaits
/// `send`, and one task that reads the actions and reduces them.
@MainActor
enum SingleConsumerChannelRival {
    private typealias Channel = MultiProducerSingleConsumerAsyncChannel<AppAction, Never>

    /// Hands a source over to the task that sends.
    private final class Handed: @unchecked Sendable {
        // Unchecked because one task takes the source, once.
        private var source: Channel.Source?
        init(_ source: consuming Channel.Source) { self.source = consume source }

        func take() -> Channel.Source? { source.take() }
    }

    static func contender(producers: Int) -> Contender {
        let name = "MultiProducerSingleConsumerAsyncChannel"
        return Contender(name, share: 0.05) { operations in
            let share = operations / producers
            let began = bench_now()
            // A producer waits when 4,096 actions are buffered, until fewer than 1,024 are.
            var made = Channel.makeChannel(
                of: AppAction.self,
                throwing: Never.self,
                backpressureStrategy: .watermark(low: 1_024, high: 4_096)
            )
            let elements = made.takeChannel().elements()
            let consumer = Task.detached {
                let reduce = AppState.reducer.reduce
                var state = AppState()
                for await action in elements { reduce(action, &state) }
                return (state, bench_now())
            }
            var first = made.source
            var sources = (1..<producers).map { _ in Handed(first.makeAdditionalSource()) }
            sources.append(Handed(first))
            let senders = sources.map { handed in
                Task.detached {
                    // The channel ends when the last source is gone.
                    guard var source = handed.take() else { return }
                    for index in 0..<share { try await source.send(AppAction.nth(index)) }
                }
            }
            for sender in senders { try await sender.value }
            let (state, ended) = await consumer.value
            try StateChange(from: AppState(), to: state).check(
                StateChange(actions: share, producers: producers),
                of: name
            )
            return ended - began
        }
    }
}
