// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that was installed in a running store. Its own types are hidden; those of the store are known.
@usableFromInline
final class Plugin<Action, State>: @unchecked Sendable {
    // Unchecked because a message gives it to the pipeline, which owns it from then on. Any thread may use the counters
    // and the run.
    @usableFromInline typealias Calls = PluginCall<Action>

    let name: MiddlewareName
    var isEnabled = true
    @usableFromInline let counters = PluginCounters()
    /// The run to which everything that the plugin dispatches belongs. Revoked when the plugin is removed.
    @usableFromInline let run = EffectRun()
    /// The closure that binds the middleware. Called once.
    private var attach: ((Plugin, @escaping GetState<State>, LiveState<State>?) -> Calls)?
    private(set) var calls: Calls?
    /// The named middlewares in the plugin, the plugin itself first.
    private(set) var running: [RunningMiddleware] = []

    @inlinable
    convenience init<M: MiddlewareProtocol>(_ middleware: M, name: MiddlewareName)
    where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
        let named = middleware.named(name)
        self.init(name) { plugin, state, live in
            Calls(named.bound(to: state, live: live), state, plugin.counters, plugin.run)
        }
    }

    @usableFromInline
    init(_ name: MiddlewareName, attach: @escaping (Plugin, @escaping GetState<State>, LiveState<State>?) -> Calls) {
        self.name = name
        self.attach = attach
    }

    /// Binds the middleware when the plugin is installed. On the pipeline's thread.
    func bind(
        to state: @escaping GetState<State>,
        live: LiveState<State>?,
        position: (@Sendable () -> ActionPosition)?,
        effects: EffectProbeCell?
    ) {
        guard let attach else { return }
        (calls, running) = MiddlewareRegistry.collecting(position: position, effects: effects) {
            attach(self, state, live)
        }
        self.attach = nil
        counters.running = running.first
    }

    /// Revokes the run and cancels the effects, once the plugin is no longer in the list. On the pipeline's thread.
    func retire() {
        run.revoke()
        calls?.canceller.cancelAll()
    }
}
