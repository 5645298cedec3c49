// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// A place among the plugins. All plugins come after the middlewares that the store was made with.
public enum PluginPlace: Sendable, Hashable {
    /// Before all other plugins: its `handle` runs first, its IOs run last.
    case first
    /// After all other plugins.
    case last
    /// Directly before another plugin.
    case before(MiddlewareName)
    /// Directly after another plugin.
    case after(MiddlewareName)
}
