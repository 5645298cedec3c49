// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// Where among the plugins one is put. All plugins come after the middlewares that the store was made with.
public enum PluginPlace: Sendable, Hashable {
    /// Before all others: its `handle` is the first, its works are the last.
    case first
    /// After all others.
    case last
    /// Right before another one.
    case before(MiddlewareName)
    /// Right after another one.
    case after(MiddlewareName)
}
