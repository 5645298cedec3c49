// SPDX-License-Identifier: Apache-2.0

/// Keeps what happened, in order, from any thread.
///
/// ```swift
/// let log = Recorder<String>()
/// log.record("handle")
/// #expect(log.all == ["handle"])
/// ```
public final class Recorder<Element: Sendable>: Sendable {
    private let elements = Shared<[Element]>([])

    /// An empty record.
    public init() {}

    /// Adds to the end.
    public func record(_ element: Element) {
        elements.update { $0.append(element) }
    }

    /// All that was recorded.
    public var all: [Element] { elements.value }

    /// How many were recorded.
    public var count: Int { elements.update { $0.count } }

    /// Forgets everything.
    public func clear() { elements.value = [] }
}
