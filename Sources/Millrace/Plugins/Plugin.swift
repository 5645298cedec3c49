// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that was installed on a running store, with its types hidden but for the store's.
@usableFromInline
final class Plugin<Action, State>: @unchecked Sendable {
    // Unchecked because it is given to the pipeline in a message and is the pipeline's from then on; the counters and
    // the run are for any thread.
    @usableFromInline typealias Calls = PluginCall<Action>

    let name: MiddlewareName
    var isEnabled = true
    @usableFromInline let counters = PluginCounters()
    /// Revoked when the plugin is removed: what it has dispatched belongs to it.
    @usableFromInline let run = EffectRun()
    /// Binds the middleware, once.
    private var attach: ((Plugin, @escaping GetState<State>, LiveState<State>?) -> Calls)?
    private(set) var calls: Calls?
    /// The named middlewares in it, itself first.
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

    /// On the pipeline's thread, when it is installed.
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

    /// On the pipeline's thread, when it is no longer in the list.
    func retire() {
        run.revoke()
        calls?.canceller.cancelAll()
    }
}
