// SPDX-License-Identifier: Apache-2.0

/// What a ``FileAppender`` has done.
public struct FileAppenderMetrics: Hashable, Sendable {
    /// Lines that were given to the system whole.
    public var writtenLines: UInt64 = 0
    /// Lines that were not.
    public var lostLines: UInt64 = 0
    /// How often opening or writing failed.
    public var errors: UInt64 = 0

    /// All zero.
    public init() {}
}
