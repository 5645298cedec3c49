// SPDX-License-Identifier: Apache-2.0

/// The choice of actions to log, among those that pass the filter.
///
/// ```swift
/// middleware.logger(sampling: .oneIn(100))
/// ```
public enum LogSampling: Hashable, Sendable {
    /// All actions.
    case all
    /// The first action, then every n-th one. 1 or less: all actions.
    case oneIn(Int)
    /// The first n actions of each second. A second begins with the first action after the previous second. 0 or less:
    /// none.
    case firstPerSecond(Int)
}
