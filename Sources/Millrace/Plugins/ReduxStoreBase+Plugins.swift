// SPDX-License-Identifier: Apache-2.0

extension ReduxStoreBase {
    /// The middlewares that are installed, moved and removed while the store runs: see ``StorePlugins``.
    public final var plugins: StorePlugins<ActionType, StateType> { StorePlugins(core: core) }
}

extension ReduxPipelineWrapper {
    /// The middlewares that are installed, moved and removed while the pipeline runs: see ``StorePlugins``.
    public var plugins: StorePlugins<ActionType, StateType> { StorePlugins(core: core) }
}
