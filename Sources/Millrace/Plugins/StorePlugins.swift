// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The plugins of a store: middlewares that are installed by name while the store runs.
///
/// ```swift
/// try await store.plugins.install(Audit(), as: "audit")
/// print(store.plugins.all)        // each with its counters
/// try await store.plugins.remove("audit")
/// ```
///
/// Plugins come after the middlewares that the store was made with, in an order of their own. `handle` runs from the
/// first to the last; `afterReduce` and IOs run from the last to the first. A plugin is bound to the store's state when
/// it is installed. From then on the store owns it.
///
/// **Order.** Each change takes its place among the actions, and takes effect between two of them. A plugin sees every
/// action that is handled between its installation and its removal, and sees each of them completely. When the call
/// returns, the change has taken effect. A replacement leaves no gap.
///
/// **Removing** or replacing a plugin cancels its effects with its `effectCanceller`. The actions that it has
/// dispatched are counted as cancelled: those that still wait, and those that come later. Then the plugin is released
/// on the pipeline's thread. **Disabling** a plugin only means that it sees no actions: its effects go on, and the
/// actions that they dispatch are accepted. For other rules, put a gate before the plugin (`MillraceGated`).
///
/// **Names** are those of `named(_:)`. A probe measures a plugin under its name. A shutdown reports the name when the
/// plugin is stuck in `handle`, `afterReduce` or an IO. For a name that is known only at run time,
/// use `MiddlewareName(interning:)`.
///
/// **Threads.** Any thread. The calls suspend. A handler cannot wait for one, but may start a task that does. The calls
/// cannot be cancelled: if a handler is stuck, they return when the handler returns, or when the store ends. Once a
/// closed store's pipeline has ended, they throw ``PluginError/storeClosed``.
///
/// **Cost.** A store without plugins reads one word for each action. Each call of a plugin (`handle`, and
/// `afterReduce` if it has one) goes through a closure. Install it where the middleware's type is known, so that the
/// closure is specialised. An action costs no allocation, except for IOs. Installing a plugin at the end takes the same
/// time, however many there are. All other changes search the list, and take longer in a longer list.
///
/// The shards of a ``ShardedStore`` are stores: install a separate plugin in each of them.
public struct StorePlugins<ActionType, StateType>: Sendable {
    @usableFromInline let core: StoreCore<ActionType, StateType>

    @usableFromInline
    init(core: StoreCore<ActionType, StateType>) {
        self.core = core
    }

    /// The installed plugins in their order, with their counters. Any thread; returns at once. After the end of the
    /// store it keeps its last value.
    public var all: [InstalledPlugin] { core.plugins.all }

    /// The plugin with this name; nil if there is none.
    public subscript(name: MiddlewareName) -> InstalledPlugin? { all.first { $0.name == name } }

    /// Installs a middleware as a plugin.
    ///
    /// - Parameters:
    ///   - middleware: The middleware. From here on the store owns it.
    ///   - name: The name, which no other plugin may have. Write it as a literal.
    ///   - place: The place among the plugins.
    /// - Throws: ``PluginError/nameTaken(_:)``, ``PluginError/unknownName(_:)`` for the name in `place`,
    ///   ``PluginError/storeClosed``.
    @inlinable
    public func install<M: MiddlewareProtocol>(
        _ middleware: sending M,
        as name: MiddlewareName,
        at place: PluginPlace = .last
    ) async throws(PluginError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let plugin = Plugin<ActionType, StateType>(middleware, name: name)
        try await change { list in list.install(plugin, at: place) }
    }

    /// Replaces a plugin by a middleware, under the same name. The last action of the old plugin comes directly before
    /// the first action of the new one. The new plugin's counters start at zero. A disabled plugin stays disabled.
    ///
    /// As with ``remove(_:)``, the effects of the old plugin and the actions that it has dispatched are cancelled.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    @inlinable
    public func replace<M: MiddlewareProtocol>(
        _ name: MiddlewareName,
        with middleware: sending M
    ) async throws(PluginError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let plugin = Plugin<ActionType, StateType>(middleware, name: name)
        #if MILLRACE_PLANTED
            if Planted.has(.replacementGap) { return try await replaceWithGap(name, plugin) }
        #endif
        try await change { list in list.replace(name, with: plugin) }
    }

    #if MILLRACE_PLANTED
        @usableFromInline
        func replaceWithGap(_ name: MiddlewareName, _ plugin: Plugin<ActionType, StateType>) async throws(PluginError) {
            let wasEnabled = self[name]?.isEnabled == true
            if wasEnabled { try await disable(name) }
            try await change { list in list.replace(name, with: plugin) }
            if wasEnabled { try? await enable(name) }
        }
    #endif

    /// Moves a plugin to another place among the plugins.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, also for the name in `place`, ``PluginError/storeClosed``.
    public func move(_ name: MiddlewareName, to place: PluginPlace) async throws(PluginError) {
        try await change { list in list.move(name, to: place) }
    }

    /// Removes a plugin, cancels its effects and the actions that it has dispatched, and releases it.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    public func remove(_ name: MiddlewareName) async throws(PluginError) {
        try await change { list in list.remove(name) }
    }

    /// Enables a plugin: it sees the actions again. Does nothing if the plugin is enabled already.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    public func enable(_ name: MiddlewareName) async throws(PluginError) {
        try await change { list in list.enable(name, true) }
    }

    /// Disables a plugin: it sees no actions until it is enabled. Its effects go on. Does nothing if the plugin is
    /// disabled already.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    public func disable(_ name: MiddlewareName) async throws(PluginError) {
        try await change { list in list.enable(name, false) }
    }

    /// Changes the list on the pipeline's thread, at this place among the actions, and waits for the result.
    @usableFromInline
    func change(
        _ body: @escaping @Sendable (PluginList<ActionType, StateType>) -> Result<Void, PluginError>
    ) async throws(PluginError) {
        let core = core
        let result: Result<Void, PluginError> = await suspend { continuation in
            let isOpen = core.send { continuation.resume(returning: body(core.plugins)) }
            if !isOpen { continuation.resume(returning: .failure(.storeClosed)) }
        }
        try result.get()
    }
}

extension StorePlugins: CustomStringConvertible {
    /// The names of the plugins in their order: `audit, quiet (disabled)`.
    public var description: String {
        let names = all.map { "\($0.name)\($0.isEnabled ? "" : " (disabled)")" }
        return names.isEmpty ? "no plugins" : names.joined(separator: ", ")
    }
}
