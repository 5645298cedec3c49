// SPDX-License-Identifier: Apache-2.0

public import MillraceCore
import Synchronization

/// The plugins of a store. The list is the pipeline's, and changes by messages in the queue.
@usableFromInline
final class PluginList<Action, State>: @unchecked Sendable {
    // Unchecked because everything that is `var` belongs to the consumer, as StoreCore.subscribers does; what is shown
    // to others is behind a lock.
    @usableFromInline typealias Change = Result<Void, PluginError>

    /// No plugin sees actions. The one thing a store without plugins looks at.
    @usableFromInline @exclusivity(unchecked) private(set) var isIdle = true
    @usableFromInline @exclusivity(unchecked) private(set) var hasAfterReduce = false
    /// What asks those that are enabled; not retained, as that would be done at every action.
    @usableFromInline @exclusivity(unchecked) private(set) var calls: Unmanaged<PluginCalls<Action>>
    private var keptCalls = PluginCalls<Action>() {
        didSet { calls = .passUnretained(keptCalls) }
    }
    private var plugins: [Plugin<Action, State>] = []
    /// The store's getter; set when the store is made.
    private var state: GetState<State>?
    private var live: LiveState<State>?
    private var position: (@Sendable () -> ActionPosition)?
    private var effects: EffectProbeCell?

    /// What any thread may see; it keeps no plugin.
    private let shown = Locked<[(name: MiddlewareName, isEnabled: Bool, counters: PluginCounters)]>([])
    private let named = Locked<[RunningMiddleware]>([])

    @usableFromInline
    init() {
        calls = .passUnretained(keptCalls)
    }

    /// The plugins in order. Any thread.
    var all: [InstalledPlugin] {
        shown.withLock { $0 }.map { plugin in
            InstalledPlugin(
                name: plugin.name,
                isEnabled: plugin.isEnabled,
                handled: plugin.counters.handled.load(ordering: .relaxed),
                works: plugin.counters.works.load(ordering: .relaxed)
            )
        }
    }

    /// The named middlewares in the plugins. Any thread.
    @usableFromInline
    var running: [RunningMiddleware] { named.withLock { $0 } }

    /// What plugins will be bound to; while the store binds.
    @usableFromInline
    func bind(to state: @escaping GetState<State>, live: LiveState<State>?) {
        self.state = state
        self.live = live
        position = MiddlewareRegistry.position
        effects = MiddlewareRegistry.effects
    }

    @usableFromInline
    func probedHandle(_ action: Action, _ dispatcher: ActionSource, _ probe: any PipelineProbe) -> IO<Action> {
        var io = IO<Action>.pure()
        for plugin in plugins where plugin.isEnabled {
            guard let calls = plugin.calls else { continue }
            io = calls.probedHandle(action, dispatcher, probe) <> io
        }
        return io
    }
}

// On the pipeline's thread, between two actions.
extension PluginList {
    @usableFromInline
    func install(_ plugin: Plugin<Action, State>, at place: PluginPlace) -> Change {
        guard index(of: plugin.name) == nil else { return .failure(.nameTaken(plugin.name)) }
        return index(of: place, in: plugins).map { index in
            bind(plugin)
            plugins.insert(plugin, at: index)
            update()
        }
    }

    @usableFromInline
    func replace(_ name: MiddlewareName, with plugin: Plugin<Action, State>) -> Change {
        change(name) { index in
            bind(plugin)
            let old = plugins[index]
            plugin.isEnabled = old.isEnabled
            plugins[index] = plugin
            update()
            old.retire()
        }
    }

    func move(_ name: MiddlewareName, to place: PluginPlace) -> Change {
        guard let from = index(of: name) else { return .failure(.unknownName(name)) }
        if place == .before(name) || place == .after(name) { return .success(()) }
        var others = plugins
        let plugin = others.remove(at: from)
        return index(of: place, in: others).map { index in
            others.insert(plugin, at: index)
            plugins = others
            update()
        }
    }

    func remove(_ name: MiddlewareName) -> Change {
        change(name) { index in
            let plugin = plugins.remove(at: index)
            update()
            plugin.retire()
        }
    }

    func enable(_ name: MiddlewareName, _ isEnabled: Bool) -> Change {
        change(name) { index in
            plugins[index].isEnabled = isEnabled
            update()
        }
    }

    /// At the end of the pipeline: gives the plugins away. What they have done can still be read.
    @usableFromInline
    func removeAll() -> Any {
        defer {
            plugins = []
            (isIdle, hasAfterReduce) = (true, false)
            keptCalls = PluginCalls()
            named.withLock { $0 = [] }
            (state, live, position, effects) = (nil, nil, nil, nil)
        }
        return (plugins, keptCalls, state, position)
    }

    private func change(_ name: MiddlewareName, _ body: (Int) -> Void) -> Change {
        guard let index = index(of: name) else { return .failure(.unknownName(name)) }
        return .success(body(index))
    }

    private func index(of name: MiddlewareName) -> Int? {
        plugins.firstIndex { $0.name == name }
    }

    private func index(of place: PluginPlace, in plugins: [Plugin<Action, State>]) -> Result<Int, PluginError> {
        let (name, offset): (MiddlewareName, Int)
        switch place {
        case .first: return .success(0)
        case .last: return .success(plugins.count)
        case .before(let other): (name, offset) = (other, 0)
        case .after(let other): (name, offset) = (other, 1)
        }
        guard let index = plugins.firstIndex(where: { $0.name == name }) else { return .failure(.unknownName(name)) }
        return .success(index + offset)
    }

    private func bind(_ plugin: Plugin<Action, State>) {
        if let state { plugin.bind(to: state, live: live, position: position, effects: effects) }
    }

    /// Makes the calls of those that are enabled, and shows the list to others.
    private func update() {
        let calls = plugins.compactMap { $0.isEnabled ? $0.calls : nil }
        isIdle = calls.isEmpty
        let observers = calls.filter(\.hasAfterReduce)
        hasAfterReduce = !observers.isEmpty
        keptCalls = PluginCalls(calls.map(\.handle), observers.map(\.afterReduce))
        let shown = plugins.map { ($0.name, $0.isEnabled, $0.counters) }
        self.shown.withLock { $0 = shown }
        let running = plugins.flatMap(\.running)
        named.withLock { $0 = running }
    }
}
