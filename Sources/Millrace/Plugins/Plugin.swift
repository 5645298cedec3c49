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
    /// The run to which all actions of the plugin belong. Revoked when the plugin is removed or replaced.
    @usableFromInline let run = EffectRun()
    /// The closure that binds the middleware. Called once.
    private var attach: ((Plugin, MiddlewareBinding<Action, State>) -> Calls)?
    private(set) var calls: Calls?
    /// The named middlewares in the plugin, the plugin itself first.
    private(set) var running: [RunningMiddleware] = []

    @inlinable
    convenience init<M: MiddlewareProtocol>(_ middleware: M, name: MiddlewareName)
    where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
        let named = middleware.named(name)
        self.init(name) { plugin, binding in
            let source = binding.state.source
            return Calls(named.bound(binding), { source.read() }, plugin.counters, plugin.run)
        }
    }

    @usableFromInline
    init(_ name: MiddlewareName, attach: @escaping (Plugin, MiddlewareBinding<Action, State>) -> Calls) {
        self.name = name
        self.attach = attach
    }

    /// Binds the middleware when the plugin is installed. On the pipeline's thread.
    func bind(_ binding: MiddlewareBinding<Action, State>) {
        guard let attach else { return }
        let names = BoundNames()
        let run = run
        calls = attach(self, binding.collecting(names).mappingOutput { $0.belonging(to: run) })
        running = names.all
        self.attach = nil
        counters.running = running.first
    }

    /// Revokes the run and cancels the effects, once the plugin is no longer in the list. On the pipeline's thread.
    func retire() {
        #if MILLRACE_PLANTED
            if Planted.has(.pluginLeftovers) { return }
        #endif
        run.revoke()
        calls?.canceller.cancelAll()
    }
}
