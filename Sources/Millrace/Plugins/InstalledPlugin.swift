// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// What can be told of a plugin: see ``StorePlugins/all``.
public struct InstalledPlugin: Sendable, Hashable {
    /// Its name.
    public let name: MiddlewareName
    /// Whether it sees the actions.
    public let isEnabled: Bool
    /// Actions that it has handled. Of the moment before.
    public let handled: UInt64
    /// Works that it has answered with. What is done in `afterReduce`, as effects are, is none.
    public let works: UInt64
}
