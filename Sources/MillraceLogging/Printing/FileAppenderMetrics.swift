// SPDX-License-Identifier: Apache-2.0

/// The counts of a ``FileAppender``.
public struct FileAppenderMetrics: Hashable, Sendable {
    /// Lines that were passed to the system completely.
    public var writtenLines: UInt64 = 0
    /// Lines that could not be written.
    public var lostLines: UInt64 = 0
    /// The number of times that opening or writing failed.
    public var errors: UInt64 = 0

    /// Creates metrics that are all zero.
    public init() {}
}
