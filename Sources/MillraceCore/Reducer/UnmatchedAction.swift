// SPDX-License-Identifier: Apache-2.0

/// An action for an element that a lifted reducer did not find: what ``UnknownElement/report`` reports.
public struct UnmatchedAction: Sendable, Hashable, CustomStringConvertible {
    /// The key path of the collection or dictionary.
    public let path: String
    /// The id, key or index of the element, as text.
    public let id: String

    /// Creates a report.
    public init(path: String, id: String) {
        self.path = path
        self.id = id
    }

    /// One line for a log.
    public var description: String { "an action for the unknown element \(id) of \(path) was ignored" }
}
