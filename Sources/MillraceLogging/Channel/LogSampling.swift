// SPDX-License-Identifier: Apache-2.0

/// Which of the actions that pass the filter are logged.
///
/// ```swift
/// middleware.logger(sampling: .oneIn(100))
/// ```
public enum LogSampling: Hashable, Sendable {
    /// Each.
    case all
    /// The first action, then every n-th one. 1 or less: each.
    case oneIn(Int)
    /// The first so many of each second; a second begins with the first action after the one before. 0 or less: none.
    case firstPerSecond(Int)
}
