// SPDX-License-Identifier: Apache-2.0

/// The reason why there is no picture, and how to correct it.
public struct PlotError: Error, CustomStringConvertible {
    /// One sentence without a full stop.
    public let description: String

    /// Creates the error from its text.
    public init(_ description: String) { self.description = description }
}
