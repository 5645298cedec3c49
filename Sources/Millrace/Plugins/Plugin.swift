// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A middleware that was installed on a running store, with its types hidden but for the store's.
@usableFromInline
final class Plugin<Action, State>: @unchecked Sendable {
    // Unchecked because it is given to the pipeline in a message and is the pipeline's from then on; the counters and
    // the run are for any thread.

    /// The calls of a middleware that is bound. Closures that are specialised where it is installed.
    @usableFromInline
    struct Calls {
        @usableFromInline let handle: (Action, ActionSource) -> IO<Action>
        @usableFromInline let probedHandle: (Action, ActionSource, any PipelineProbe) -> IO<Action>
        /// Called only if it `hasAfterReduce`.
        @usableFromInline let afterReduce: (Action, ActionSource, AnyActionHandler<Action>) -> Void
        @usableFromInline let hasAfterReduce: Bool
        @usableFromInline let canceller: EffectCanceller

        @inlinable
        init<M: MiddlewareProtocol>(_ bound: M, _ state: @escaping GetState<State>, _ plugin: Plugin)
        where M.InputActionType == Action, M.OutputActionType == Action, M.StateType == State {
            let (counters, run) = (plugin.counters, plugin.run)
            handle = { action, dispatcher in
                counters.countHandled()
                let io = bound.handle(action: action, from: dispatcher, state: state)
                return io.isPure ? .pure() : counters.counted(io, run)
            }
            probedHandle = { action, dispatcher, probe in
                counters.countHandled()
                let io = bound.handle(action: action, from: dispatcher, state: state, probe: probe)
                return io.isPure ? .pure() : counters.counted(io, run)
            }
            afterReduce = { action, dispatcher, output in
                bound.afterReduce(action: action, from: dispatcher, state: state, output: output.belonging(to: run))
            }
            hasAfterReduce = bound.hasAfterReduce
            canceller = bound.effectCanceller
        }
    }

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
        self.init(name) { plugin, state, live in Calls(named.bound(to: state, live: live), state, plugin) }
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
