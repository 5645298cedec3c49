// SPDX-License-Identifier: Apache-2.0

public import MillraceEffects
public import TestSupport

/// Effects that a test starts, sends through and ends by hand; writes down starts and cancels.
public final class Hand: Sendable {
    private typealias Sink = EffectSink<DispatchedAction<Int>>

    /// Starts and cancels, in their order.
    public let log = Recorder<String>()
    private let sinks = Shared<[String: Sink]>([:])

    /// No effect yet.
    public init() {}

    /// An effect of this name, with a token or without.
    public func effect<Dependencies>(_ name: String, token: String? = nil) -> Effect<Dependencies, Int> {
        // Weak, as it keeps the sinks, which keep the effects that come after theirs.
        let effect = Effect<Dependencies, Int> { [log, weak self] _, sink in
            log.record("start \(name)")
            self?.sinks.update { $0[name] = sink }
            sink.onCancel { log.record("cancel \(name)") }
        }
        return token.map { effect.withToken($0) } ?? effect
    }

    /// Dispatches an action from the effect that was started last under the name.
    public func send(_ name: String, _ action: Int) {
        sinks.value[name]?.send(DispatchedAction(action))
    }

    /// Ends that effect.
    public func complete(_ name: String) {
        sinks.value[name]?.complete()
    }

    /// Whether an effect of the name was started, and its middleware still keeps it.
    public func isCancelled(_ name: String) -> Bool? {
        sinks.value[name]?.isCancelled
    }
}
