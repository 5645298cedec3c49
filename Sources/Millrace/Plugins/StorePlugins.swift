// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Middlewares that are put into a running store, by name.
///
/// ```swift
/// try await store.plugins.install(Audit(), as: "audit")
/// print(store.plugins.all)        // each with its figures
/// try await store.plugins.remove("audit")
/// ```
///
/// Plugins come after the middlewares that the store was made with, in an order of their own: `handle` from the first
/// to the last, `afterReduce` and works from the last to the first. A plugin is bound to the store's state when it is
/// installed, and is the store's from then on.
///
/// **Order.** Each change takes its place among the actions, and takes effect between two of them: of the actions that
/// are handled, a plugin sees all between its installation and its removal, each as a whole. When the call returns, the
/// change has taken effect. A replacement leaves no gap.
///
/// **Removing** one (or replacing it) cancels its effects, as its `effectCanceller` has it, and drops what it has
/// dispatched: what still waits, and what comes later, is counted as cancelled. Then it is released, on the pipeline's
/// thread. **Disabling** one only means that it sees no actions: its effects go on, and what they dispatch is taken. To
/// decide otherwise, put a gate before it (`MillraceGated`).
///
/// **Names** are those of `named(_:)`: a probe measures a plugin under its name, and a shutdown reports it when it is
/// stuck, in `handle`, `afterReduce` or a work. A name that was read at run time is made by
/// `MiddlewareName(interning:)`.
///
/// **Threads.** Any. The calls suspend; a handler cannot wait for one, and may start a task that does. They cannot be
/// cancelled: where a handler is stuck, they return when it does, or when the store ends. When the store was closed
/// nothing changes any more: ``PluginError/storeClosed``.
///
/// **Cost.** A store without plugins looks at one word an action; a plugin costs a call of a closure more than a
/// middleware that the store was made with. Install where the middleware's type is known, so that the closure is
/// specialised. No allocation an action, except for works. To install one at the end takes as long as the first, however
/// many there are; to find one in the list, for all other changes, takes longer in a longer list.
///
/// The shards of a ``ShardedStore`` are stores: install a plugin of its own in each.
public struct StorePlugins<ActionType, StateType>: Sendable {
    @usableFromInline let core: StoreCore<ActionType, StateType>

    @usableFromInline
    init(core: StoreCore<ActionType, StateType>) {
        self.core = core
    }

    /// The plugins that are installed, in their order, with what they have done. Any thread, at once. After the end of
    /// the store it is what it was at the end.
    public var all: [InstalledPlugin] { core.plugins.all }

    /// The plugin of a name, if there is one.
    public subscript(name: MiddlewareName) -> InstalledPlugin? { all.first { $0.name == name } }

    /// Installs a middleware.
    ///
    /// - Parameters:
    ///   - middleware: From here on it is the store's.
    ///   - name: No other plugin may have it; write it as a literal.
    ///   - place: Where among the plugins.
    /// - Throws: ``PluginError/nameTaken(_:)``, ``PluginError/unknownName(_:)`` of `place`,
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

    /// Puts a middleware in the place of a plugin, under the same name: the last action of the old one is right before
    /// the first of the new one, whose figures start anew. A plugin that was disabled stays disabled.
    ///
    /// The effects of the old one are cancelled and its outputs dropped, as ``remove(_:)`` does.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    @inlinable
    public func replace<M: MiddlewareProtocol>(
        _ name: MiddlewareName,
        with middleware: sending M
    ) async throws(PluginError)
    where M.InputActionType == ActionType, M.OutputActionType == ActionType, M.StateType == StateType {
        let plugin = Plugin<ActionType, StateType>(middleware, name: name)
        try await change { list in list.replace(name, with: plugin) }
    }

    /// Puts a plugin in another place among the plugins.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, also of `place`, ``PluginError/storeClosed``.
    public func move(_ name: MiddlewareName, to place: PluginPlace) async throws(PluginError) {
        try await change { list in list.move(name, to: place) }
    }

    /// Takes a plugin out, cancels its effects, drops its outputs, and releases it.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    public func remove(_ name: MiddlewareName) async throws(PluginError) {
        try await change { list in list.remove(name) }
    }

    /// Has a plugin see the actions again. One that does stays as it is.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    public func enable(_ name: MiddlewareName) async throws(PluginError) {
        try await change { list in list.enable(name, true) }
    }

    /// Has a plugin see no more actions until it is enabled; its effects go on. One that sees none stays as it is.
    ///
    /// - Throws: ``PluginError/unknownName(_:)``, ``PluginError/storeClosed``.
    public func disable(_ name: MiddlewareName) async throws(PluginError) {
        try await change { list in list.enable(name, false) }
    }

    /// Has the pipeline change the list, at this place in the order, and waits for it.
    @usableFromInline
    func change(
        _ body: @escaping @Sendable (PluginList<ActionType, StateType>) -> Result<Void, PluginError>
    ) async throws(PluginError) {
        let core = core
        let result: Result<Void, PluginError> = await withCheckedContinuation { continuation in
            let isOpen = core.send { continuation.resume(returning: body(core.plugins)) }
            if !isOpen { continuation.resume(returning: .failure(.storeClosed)) }
        }
        try result.get()
    }
}
