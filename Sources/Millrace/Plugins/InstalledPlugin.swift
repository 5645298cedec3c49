// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The description of an installed plugin: see ``StorePlugins/all``.
public struct InstalledPlugin: Sendable, Hashable {
    /// The name of the plugin.
    public let name: MiddlewareName
    /// Whether the plugin sees the actions.
    public let isEnabled: Bool
    /// The number of actions that the plugin has handled. It may have handled more since.
    public let handled: UInt64
    /// The number of IOs that the plugin has returned. Effects that the plugin starts in `afterReduce` do not count.
    public let ios: UInt64
}
