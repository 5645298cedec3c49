// SPDX-License-Identifier: Apache-2.0

import MillraceCombine
import TestSupport

/// Effects that a test sends through and ends by hand; writes down when they are started and cancelled.
final class EffectHand: Sendable {
    typealias Sink = EffectSink<DispatchedAction<Int>>

    let log = Recorder<String>()
    private let sinks = Shared<[String: Sink]>([:])

    func effect<Dependencies>(_ name: String, token: String? = nil) -> Effect<Dependencies, Int> {
        // Weak, as the sinks lead to the store, which has the effects.
        let effect = Effect<Dependencies, Int> { [log, weak self] _, sink in
            log.record("start \(name)")
            self?.sinks.update { $0[name] = sink }
            sink.onCancel { log.record("cancel \(name)") }
        }
        return token.map { effect.withToken($0) } ?? effect
    }

    func send(_ name: String, _ action: Int) {
        sinks.value[name]?.send(DispatchedAction(action))
    }

    func complete(_ name: String) {
        sinks.value[name]?.complete()
    }
}

/// A store of numbers, whose pipeline runs where it is dispatched to; those from 10 on are written down.
func numberStore(
    _ middleware: sending some MiddlewareProtocol<Int, Int, Int>,
    _ outputs: Recorder<Int> = Recorder()
) -> ReduxStoreBase<Int, Int> {
    ReduxStoreBase(
        initialState: 0,
        reducer: .reduce { action, state in
            state += 1
            if action >= 10 { outputs.record(action) }
        },
        middleware: middleware,
        engine: .caller
    )
}
