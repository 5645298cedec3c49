// SPDX-License-Identifier: Apache-2.0

public import MillraceCore

/// The reason why the plugins of a store were not changed. A call that throws it has changed nothing.
public enum PluginError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A plugin of this name is already installed. Choose another name, or replace that plugin.
    case nameTaken(MiddlewareName)
    /// No plugin of this name is installed.
    case unknownName(MiddlewareName)
    /// The store was closed, shut down or released.
    case storeClosed

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .nameTaken(let name): "a plugin \"\(name)\" is installed already: choose another name, or replace it"
        case .unknownName(let name): "no plugin \"\(name)\" is installed: see store.plugins.all"
        case .storeClosed: "the store is closed: change its plugins before you close it"
        }
    }
}
